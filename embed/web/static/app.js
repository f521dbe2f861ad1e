// @ts-check
// What every page has: keys, and forms whose answer takes the place of the page without a reload.
import { visit, post, page } from "./partial.js";

/** The keys on this page: the elements that name one. A key of two letters is "g o". */
const keyed = () => /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-key]")]).filter((e) => e.checkVisibility());

let before = "";

/** @param {KeyboardEvent} event */
function press(event) {
	const at = /** @type {HTMLElement} */ (event.target);
	if (event.key === "Escape") {
		unpaint();
		for (const open of document.querySelectorAll("details.menu[open]")) open.removeAttribute("open");
		if (at.matches("input, textarea, select")) at.blur();
		return;
	}
	if (!document.documentElement.hasAttribute("data-keys") || event.ctrlKey || event.metaKey || event.altKey ||
		at.matches("input:not([type=checkbox]), textarea, select, [contenteditable]")) return;
	if (event.key === "?") return paint(), event.preventDefault();
	const wanted = before ? before + " " + event.key : event.key;
	before = event.key === "g" && !before ? "g" : "";
	const target = keyed().find((e) => e.dataset.key === wanted);
	if (!target) return;
	event.preventDefault();
	if (target.matches("input, textarea, select")) target.focus();
	else target.click();
}

/** Writes its key beside every element that has one. */
function paint() {
	if (unpaint()) return;
	for (const e of keyed()) {
		const at = e.getBoundingClientRect(), mark = document.createElement("span");
		mark.className = "painted";
		mark.textContent = e.dataset.key || "";
		mark.ariaHidden = "true";
		document.body.append(mark);
		const sheet = new CSSStyleSheet();
		mark.id = "key-" + document.adoptedStyleSheets.length;
		sheet.replaceSync(`#${mark.id}{left:${at.left + scrollX}px;top:${at.top + scrollY}px}`);
		document.adoptedStyleSheets.push(sheet);
	}
}

/** Takes these away, and says whether there were any. */
function unpaint() {
	const all = document.querySelectorAll(".painted");
	for (const mark of all) mark.remove();
	if (all.length) document.adoptedStyleSheets = [];
	return all.length > 0;
}

document.addEventListener("keydown", press);
document.addEventListener("submit", post);
document.addEventListener("click", visit);
document.addEventListener("click", (event) => {
	for (const open of document.querySelectorAll("details.menu[open]"))
		if (!open.contains(/** @type {Node} */ (event.target))) open.removeAttribute("open");
});
document.querySelector("[autofocus]")?.dispatchEvent(new Event("focus"));

// Words that complete a search, below its field: arrows go through them, Enter takes one, Escape leaves.
let asked = 0;

/** @param {HTMLInputElement} field */
async function complete(field) {
	const turn = ++asked, root = document.documentElement.dataset.root || "";
	const got = await page(root + "/transactions/words?q=" + encodeURIComponent(field.value)).catch(() => null);
	if (turn !== asked || document.activeElement !== field) return;
	const list = got?.ok && got.document.querySelector("#words");
	if (!list || !list.children.length) return leave();
	leave();
	list.className = "words";
	list.role = "listbox";
	list.ariaLabel = "Words";
	[...list.children].forEach((item, i) => {
		item.id = "word-" + i;
		item.role = "option";
		item.querySelector("a")?.replaceWith(item.querySelector("a")?.textContent || "");
	});
	field.after(document.adoptNode(list));
	field.role = "combobox";
	field.ariaAutoComplete = "list";
	field.ariaExpanded = "true";
	field.setAttribute("aria-controls", "words");
}

function leave() {
	document.querySelector(".words")?.remove();
	for (const field of document.querySelectorAll("[role=combobox]")) {
		field.ariaExpanded = "false";
		field.removeAttribute("aria-controls");
		field.removeAttribute("aria-activedescendant");
	}
}

/** @param {HTMLInputElement} field @param {HTMLElement} item Takes a word; one that lacks a name goes on. */
function choose(field, item) {
	const text = item.dataset.text || "";
	field.value = /[@#:]$/.test(text) ? text : text + " ";
	leave();
	field.focus();
	if (field.value === text) complete(field);
}

/** @type {number | undefined} */
let soon;
document.addEventListener("input", (event) => {
	const field = /** @type {HTMLInputElement} */ (event.target);
	if (!field.matches("input[name=q][type=search]")) return;
	clearTimeout(soon);
	soon = setTimeout(() => complete(field), 120);
});
document.addEventListener("keydown", (event) => {
	const list = document.querySelector(".words"), field = /** @type {HTMLInputElement} */ (event.target);
	if (!list || list.previousElementSibling !== field) return;
	const all = [...list.children], at = all.findIndex((item) => item.ariaSelected === "true");
	const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
	if (event.key === "Enter" && at >= 0) choose(field, /** @type {HTMLElement} */ (all[at])), event.preventDefault();
	if (event.key === "Escape" || event.key === "Enter") leave();
	if (!step) return;
	event.preventDefault();
	clearTimeout(soon);
	asked++; // the list stays as it is while it is gone through
	const next = all[(Math.max(at, step < 0 ? 0 : -1) + step + all.length) % all.length];
	for (const item of all) item.ariaSelected = String(item === next);
	field.setAttribute("aria-activedescendant", next.id);
}, true);
document.addEventListener("pointerdown", (event) => {
	const item = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest(".words > li"));
	if (!item) return leave();
	event.preventDefault();
	choose(/** @type {HTMLInputElement} */ (item.parentElement?.previousElementSibling), item);
});
document.addEventListener("focusout", (event) => {
	if (/** @type {Element} */ (event.target).matches("[role=combobox]")) leave();
});

// A name that was booked before fills in what it had, where nothing was chosen yet.
document.addEventListener("change", async (event) => {
	const field = /** @type {HTMLInputElement} */ (event.target), form = field.form;
	if (!field.matches("[data-past]") || !form || !field.value) return;
	const got = await page(form.action + "/new?name=" + encodeURIComponent(field.value)).catch(() => null);
	for (const name of ["category_id", "account_id", "merchant"]) {
		const mine = /** @type {HTMLInputElement | null} */ (form.elements.namedItem(name));
		const past = /** @type {HTMLInputElement | null | undefined} */ (got?.document.querySelector(`#edit [name=${name}]`));
		if (mine && past?.value && !mine.dataset.mine && (name === "account_id" || !mine.value)) mine.value = past.value;
	}
});
document.addEventListener("change", (event) => {
	const field = /** @type {HTMLElement} */ (event.target);
	if (event.isTrusted) field.dataset.mine = "yes";
});
