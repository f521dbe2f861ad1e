// @ts-check
// The list of transactions: a row opens in place as a form, rows are ticked by x and walked through by j and k, and what
// is ticked is counted.
import { page, take } from "./partial.js";

/** @param {Element} row Opens the form of a row below it. */
async function open(row) {
	const link = /** @type {HTMLAnchorElement} */ (row.querySelector("a[data-open]"));
	try {
		const got = await page(link.href), form = got.document.querySelector("#edit");
		if (!form) throw new Error("no form");
		close();
		const cell = document.createElement("td"), line = document.createElement("tr");
		cell.colSpan = 5;
		cell.append(document.adoptNode(form));
		line.className = "editing";
		line.append(cell);
		row.after(line);
		cell.querySelector(/** @type {string} */ ("[autofocus], input"))?.focus();
	} catch {
		location.assign(link.href);
	}
}

function close() {
	const line = document.querySelector("tr.editing");
	const row = line?.previousElementSibling;
	line?.remove();
	/** @type {HTMLElement | null | undefined} */ (row?.querySelector("a[data-open]"))?.focus();
}

/** Rows that there are. */
const rows = () => [...document.querySelectorAll("tr[data-row]")];
/** The row that has the focus, or the first. */
const current = () => rows().findIndex((row) => row.contains(document.activeElement));

/** @param {number} by */
function walk(by) {
	const all = rows(), at = Math.min(Math.max(current() + by, 0), all.length - 1);
	/** @type {HTMLElement | null} */ (all[at]?.querySelector("a[data-open]"))?.focus();
}

let last = -1;

/** @param {boolean} range Ticks the current row, or all from the last one that was ticked. */
function tick(range) {
	const all = rows(), at = current();
	if (at < 0) return;
	const box = /** @type {HTMLInputElement} */ (all[at].querySelector("input[name=id]"));
	box.checked = range || !box.checked;
	if (range && last >= 0)
		for (const row of all.slice(Math.min(last, at), Math.max(last, at) + 1))
			/** @type {HTMLInputElement} */ (row.querySelector("input[name=id]")).checked = true;
	last = at;
	count();
}

function count() {
	const boxes = /** @type {HTMLInputElement[]} */ ([...document.querySelectorAll("tr[data-row] input[name=id]")]);
	const n = boxes.filter((box) => box.checked).length, output = document.querySelector(".bulk output");
	for (const box of boxes) box.closest("tr")?.classList.toggle("chosen", box.checked);
	document.querySelector(".bulk")?.classList.toggle("ready", n > 0);
	if (output) output.textContent = n ? `(${n})` : "";
}

document.addEventListener("click", (event) => {
	const at = /** @type {Element} */ (event.target), row = at.closest("tr[data-row]");
	if (at.closest("[data-close]") && at.closest("tr.editing")) return event.preventDefault(), close();
	if (row && at.closest("a[data-open]") && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
		event.preventDefault();
		open(row);
	}
	if (row && at.matches("input[name=id]")) {
		const to = rows().indexOf(row);
		if (event.shiftKey && last >= 0)
			for (const between of rows().slice(Math.min(last, to), Math.max(last, to) + 1))
				/** @type {HTMLInputElement} */ (between.querySelector("input[name=id]")).checked = true;
		last = to;
		count();
	}
});

document.addEventListener("submit", async (event) => {
	const form = /** @type {HTMLFormElement} */ (event.target);
	if (form.id !== "edit" || !form.closest("tr.editing")) return;
	event.preventDefault();
	const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
	const url = button?.hasAttribute("formaction") ? button.formAction : form.action;
	const got = await page(url, { method: "POST", body: new URLSearchParams(/** @type {any} */ (new FormData(form, button))) });
	if (got.ok) return take(got.document, "#main");
	const again = got.document.querySelector("#edit");
	if (again) form.replaceWith(document.adoptNode(again));
	else location.assign(got.url);
});

document.addEventListener("keydown", (event) => {
	const at = /** @type {HTMLElement} */ (event.target);
	if (event.key === "Escape" && at.closest("tr.editing")) return close();
	if (!document.documentElement.hasAttribute("data-keys") || event.ctrlKey || event.metaKey || event.altKey ||
		at.matches("input:not([type=checkbox]), textarea, select")) return;
	if (event.key === "j") walk(1);
	else if (event.key === "k") walk(-1);
	else if (event.key.toLowerCase() === "x") tick(event.shiftKey);
	else if (event.key === "e" && current() >= 0) open(rows()[current()]), event.preventDefault();
});
