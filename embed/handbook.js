// Searches all pages of the handbook: what is typed is looked for in their sections, and what is found is listed in place of the
// contents. Without it the pages are read as they stand.
'use strict';
(() => {
	const here = document.currentScript.src;
	const nav = document.querySelector('nav');
	const contents = nav.querySelector('ul');
	let sections = null;

	const label = document.createElement('label');
	label.textContent = 'Search ';
	const key = document.createElement('kbd');
	key.textContent = '/';
	const input = document.createElement('input');
	input.type = 'search';
	input.setAttribute('aria-describedby', 'found');
	input.autocomplete = 'off';
	input.placeholder = 'such as date_format, restore';
	const found = document.createElement('p');
	found.id = 'found';
	found.className = 'type';
	found.setAttribute('role', 'status');
	const results = document.createElement('ul');
	results.hidden = true;
	const box = document.createElement('div');
	box.setAttribute('role', 'search');
	label.append(key, input);
	box.append(label, found);
	nav.firstElementChild.after(box);
	contents.after(results);

	// The sections are fetched at the first search.
	const gather = async () => {
		const answer = await fetch(new URL('sections', here));
		if (!answer.ok) throw new Error('status ' + answer.status);
		const list = await answer.json();
		return list.map(s => ({...s, name: (s.title + ' ' + s.heading).toLowerCase(), all: (s.title + ' ' + s.heading + ' ' + s.text).toLowerCase()}));
	};

	// Around the first word that was found.
	const excerpt = (section, words) => {
		const at = Math.max(0, Math.min(...words.map(w => section.text.toLowerCase().indexOf(w)).filter(i => i >= 0)));
		const from = Number.isFinite(at) ? Math.max(0, at - 40) : 0;
		return (from > 0 ? '… ' : '') + section.text.slice(from, from + 140) + (from + 140 < section.text.length ? ' …' : '');
	};

	const show = (section, words) => {
		const item = document.createElement('li');
		const link = document.createElement('a');
		link.href = new URL(section.page + (section.id ? '#' + section.id : ''), here);
		link.textContent = section.heading === section.title ? section.title : section.title + ': ' + section.heading;
		const text = document.createElement('p');
		text.className = 'type';
		text.textContent = excerpt(section, words);
		item.append(link, text);
		return item;
	};

	const search = async () => {
		const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
		contents.hidden = words.length > 0;
		results.hidden = words.length === 0;
		if (words.length === 0) {
			found.textContent = '';
			return;
		}
		try {
			sections = sections || await gather();
		} catch (err) {
			found.textContent = 'The search could not be loaded.';
			return;
		}
		const fits = sections.filter(s => words.every(w => s.all.includes(w)));
		const named = fits.filter(s => words.every(w => s.name.includes(w)));
		const shown = named.concat(fits.filter(s => !named.includes(s)));
		results.replaceChildren(...shown.map(s => show(s, words)));
		found.textContent = shown.length + ' found';
	};

	input.addEventListener('input', search);
	input.addEventListener('keydown', event => {
		if (event.key === 'Escape') {
			input.value = '';
			search();
			input.blur();
		}
		if (event.key === 'Enter') {
			const first = results.querySelector('a');
			if (first) first.click();
		}
	});
	document.addEventListener('keydown', event => {
		const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
		if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
		event.preventDefault();
		input.focus();
		input.select();
	});
})();
