//go:build ignore

// Bill writes what a program is made of: go run .ci/bill.go PROGRAM BILL LICENCES, in the folder of its source.
// BILL becomes a bill of materials (CycloneDX 1.6, JSON), LICENCES the texts of the licences of all that is in it.
// Both are made of what the build noted in the program and of the module cache, and depend on nothing else.
package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The members are those of CycloneDX 1.6.
type (
	bill struct {
		Format       string       `json:"bomFormat"`
		Spec         string       `json:"specVersion"`
		Version      int          `json:"version"`
		Metadata     metadata     `json:"metadata"`
		Components   []component  `json:"components"`
		Dependencies []dependency `json:"dependencies"`
	}
	metadata struct {
		Timestamp string    `json:"timestamp"`
		Component component `json:"component"`
	}
	component struct {
		Type     string    `json:"type"`
		Ref      string    `json:"bom-ref"`
		Name     string    `json:"name"`
		Version  string    `json:"version"`
		Hashes   []hash    `json:"hashes,omitempty"`
		Licences []licence `json:"licenses,omitempty"`
		URL      string    `json:"purl"`
	}
	hash struct {
		Algorithm string `json:"alg"`
		Content   string `json:"content"`
	}
	licence struct {
		Licence struct {
			ID string `json:"id"`
		} `json:"license"`
	}
	dependency struct {
		Ref string   `json:"ref"`
		On  []string `json:"dependsOn"`
	}
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 4 {
		log.Fatal("bill: three arguments are needed: PROGRAM BILL LICENCES")
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		log.Fatalf("bill: %v", err)
	}
}

func run(program, billPath, licencesPath string) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return err
	}
	content, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	folders, err := moduleFolders()
	if err != nil {
		return err
	}
	var texts bytes.Buffer
	parts, err := components(info, folders, &texts)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(content)
	root := newComponent("application", info.Main.Path, info.Main.Version, sum[:])
	encoded, err := json.MarshalIndent(newBill(info, root, parts), "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(billPath, append(encoded, '\n'), 0o644); err != nil {
		return err
	}
	return os.WriteFile(licencesPath, texts.Bytes(), 0o644)
}

func newBill(info *debug.BuildInfo, root component, parts []component) bill {
	var refs []string
	for _, part := range parts {
		refs = append(refs, part.Ref)
	}
	return bill{
		Format: "CycloneDX", Spec: "1.6", Version: 1, Metadata: metadata{committed(info), root},
		Components: parts, Dependencies: []dependency{{root.Ref, refs}},
	}
}

// committed is when the source was committed, so that the same source gives the same bytes.
func committed(info *debug.BuildInfo) string {
	for _, setting := range info.Settings {
		if setting.Key == "vcs.time" {
			return setting.Value
		}
	}
	return time.Unix(0, 0).UTC().Format(time.RFC3339)
}

func newComponent(kind, name, version string, sum []byte) component {
	url := "pkg:golang/" + name + "@" + version
	return component{Type: kind, Ref: url, Name: name, Version: version,
		Hashes: []hash{{"SHA-256", hex.EncodeToString(sum)}}, URL: url}
}

// components are the modules in the program, then Go's own packages and the data that is embedded.
func components(info *debug.BuildInfo, folders map[string]string, texts *bytes.Buffer) ([]component, error) {
	var all []component
	for _, module := range info.Deps {
		sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(module.Sum, "h1:"))
		if err != nil {
			return nil, fmt.Errorf("checksum of %s: %w", module.Path, err)
		}
		part := newComponent("library", module.Path, module.Version, sum)
		part.Licences, err = licences(texts, module.Path+" "+module.Version, folders[module.Path])
		if err != nil {
			return nil, err
		}
		all = append(all, part)
	}
	goRoot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	std := newComponent("library", "std", strings.TrimPrefix(info.GoVersion, "go"), nil)
	std.Hashes = nil
	std.Licences, err = licences(texts, "Go "+std.Version, strings.TrimSpace(string(goRoot)))
	if err != nil {
		return nil, err
	}
	cldr := component{Type: "data", Ref: "pkg:npm/cldr-core", Name: "cldr-core", URL: "pkg:npm/cldr-core"}
	cldr.Version, err = dataVersion()
	if err != nil {
		return nil, err
	}
	cldr.URL += "@" + cldr.Version
	cldr.Licences, err = licences(texts, "Unicode CLDR "+cldr.Version, "embed/cldr")
	return append(all, std, cldr), err
}

// dataVersion is the version of the locale data, which .ci/package.json pins.
func dataVersion() (string, error) {
	text, err := os.ReadFile(".ci/package.json")
	if err != nil {
		return "", err
	}
	var pinned struct {
		Dependencies map[string]string `json:"dependencies"`
	}
	if err := json.Unmarshal(text, &pinned); err != nil {
		return "", err
	}
	version := pinned.Dependencies["cldr-core"]
	if version == "" {
		return "", fmt.Errorf(".ci/package.json names no version of cldr-core")
	}
	return version, nil
}

// moduleFolders says where the source of each module is.
func moduleFolders() (map[string]string, error) {
	listed, err := exec.Command("go", "list", "-m", "-f", "{{.Path}}\t{{.Dir}}", "all").Output()
	if err != nil {
		return nil, fmt.Errorf("list the modules: %w", err)
	}
	folders := map[string]string{}
	for line := range strings.Lines(string(listed)) {
		path, folder, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		folders[path] = folder
	}
	return folders, nil
}

// licences copies the texts in a folder and tells which licences they are. Nothing goes out without one.
func licences(texts *bytes.Buffer, what, folder string) ([]licence, error) {
	entries, err := os.ReadDir(cmp.Or(folder, "missing: "+what))
	if err != nil {
		return nil, err
	}
	isText := regexp.MustCompile(`(?i)^(.*[_-])?(un)?licen[cs]e|^copying|^notice`)
	var ids []string
	for _, entry := range entries {
		if entry.IsDir() || !isText.MatchString(entry.Name()) || filepath.Ext(entry.Name()) == ".go" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(texts, "==== %s: %s\n\n%s\n\n", what, entry.Name(),
			bytes.TrimSpace(bytes.ReplaceAll(text, []byte("\r"), nil)))
		ids = append(ids, identify(string(text))...)
	}
	slices.Sort(ids)
	var all []licence
	for _, id := range slices.Compact(ids) {
		var l licence
		l.Licence.ID = id
		all = append(all, l)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: no licence is told in %s", what, strconv.Quote(folder))
	}
	return all, nil
}

// identify tells a licence by words that only it has, and gives its SPDX identifier; a notice has none.
func identify(text string) []string {
	words := strings.ToLower(strings.Join(strings.Fields(text), " "))
	known := []struct{ id, with, without string }{
		{"Apache-2.0", "apache license version 2.0", ""},
		{"Apache-2.0", "licensed under the apache license, version 2.0", ""},
		{"MIT", "permission is hereby granted, free of charge, to any person obtaining a copy of this software and",
			"unicode"},
		{"ISC", "permission to use, copy, modify, and/or distribute this software", ""},
		{"BSD-3-Clause", "neither the name", "unicode"},
		{"BSD-2-Clause", "redistribution and use in source and binary forms", "neither the name"},
		{"MPL-2.0", "mozilla public license version 2.0", ""},
		{"Unicode-3.0", "unicode license v3", ""},
		{"blessing", "the author disclaims copyright to this source code", ""},
	}
	var ids []string
	for _, k := range known {
		if strings.Contains(words, k.with) && (k.without == "" || !strings.Contains(words, k.without)) {
			ids = append(ids, k.id)
		}
	}
	return ids
}
