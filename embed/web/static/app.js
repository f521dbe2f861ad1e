// @ts-check
// What every page has: keys, and forms whose answer takes the place of the page without a reload.
import { visit, post } from "./partial.js";

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
