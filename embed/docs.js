// Finds operations, answers and schemas in the table of contents: by their names and paths, and by what is said of them.
// Without it the page is read as it stands. It has no ampersands and no signs for less, so that the page stays well-formed.
'use strict';
(() => {
	const nav = document.querySelector('nav');
	const groups = Array.from(nav.querySelectorAll('details'));
	let entries = null;

	const label = document.createElement('label');
	label.textContent = 'Search ';
	const key = document.createElement('kbd');
	key.textContent = '/';
	const input = document.createElement('input');
	input.type = 'search';
	input.setAttribute('aria-describedby', 'found');
	input.autocomplete = 'off';
	input.placeholder = 'such as tag_ids, POST trades';
	const found = document.createElement('p');
	found.id = 'found';
	found.className = 'type';
	found.setAttribute('role', 'status');
	const box = document.createElement('div');
	box.setAttribute('role', 'search');
	label.append(key, input);
	box.append(label, found);
	nav.firstElementChild.after(box);

	// What is said of an entry is gathered at the first search.
	const gather = () => Array.from(nav.querySelectorAll('li'), item => {
		const id = item.querySelector('a').hash.slice(1);
		const article = document.getElementById(id).closest('article');
		const path = article.querySelector('h3 + p code');
		const name = [item.textContent, id, path ? path.textContent : ''].join(' ').toLowerCase();
		return {item, name, text: name + ' ' + article.textContent.toLowerCase()};
	});

	const search = () => {
		const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
		entries = entries || gather();
		const has = text => words.every(w => text.includes(w));
		const shown = entries.filter(e => has(e.text));
		for (const e of entries) {
			e.item.hidden = !has(e.text);
			e.item.className = has(e.name) ? '' : 'aside';
		}
		for (const g of groups) {
			const any = Array.from(g.querySelectorAll('li')).some(item => !item.hidden);
			g.hidden = !any;
			g.open = words.length === 0 ? false : any;
		}
		const named = shown.filter(e => has(e.name));
		found.textContent = words.length === 0 ? '' : shown.length + ' found, ' + named.length + ' by name';
		return words.length === 0 ? undefined : named.concat(shown)[0];
	};

	input.addEventListener('input', search);
	input.addEventListener('keydown', event => {
		if (event.key === 'Escape') {
			input.value = '';
			search();
			input.blur();
		}
		if (event.key === 'Enter') {
			const first = search();
			if (first) first.item.querySelector('a').click();
		}
	});
	document.addEventListener('keydown', event => {
		const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
		if ([event.key !== '/', typing, event.ctrlKey, event.metaKey, event.altKey].includes(true)) return;
		event.preventDefault();
		input.focus();
		input.select();
	});
})();
