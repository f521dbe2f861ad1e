
# What of the package bash-completion is needed, for a shell that does not have it.
if ! declare -F _get_comp_words_by_ref >/dev/null 2>&1; then
    __finsvc_init_completion()
    {
        # Bash parts words at = and : as well; they are joined again.
        local i n=-1 line=$COMP_LINE part before=""
        words=() cword=0
        for ((i = 0; i < ${#COMP_WORDS[@]}; i++)); do
            part=${COMP_WORDS[i]}
            if ((i > 0)) && [[ $line != [[:space:]]* && ($part =~ ^[=:]+$ || $before =~ ^[=:]+$) ]]; then
                words[n]+=$part
            else
                n=$((n + 1))
                words[n]=$part
            fi
            line=${line#*"$part"}
            before=$part
            ((i == COMP_CWORD)) && cword=$n
        done
        # What stands behind the cursor is not looked at.
        local behind=${COMP_LINE:COMP_POINT}
        cur=${words[cword]%"${behind%%[[:space:]]*}"}
        words[cword]=$cur
        prev=""
        ((cword > 0)) && prev=${words[cword - 1]}
        return 0
    }
fi
if ! declare -F _filedir >/dev/null 2>&1; then
    _filedir()
    {
        local kind=-f name
        [[ ${1-} == -d ]] && kind=-d
        while IFS= read -r name; do
            COMPREPLY+=("$name")
        done < <(compgen $kind -- "${cur-}")
    }
fi
