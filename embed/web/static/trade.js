// @ts-check
// The form of a trade: fields that its type has no use for are away, and what quantity and price come to is asked of the
// server as it is typed.
import { page } from "./partial.js";

const form = /** @type {HTMLFormElement} */ (document.querySelector("form[data-trade]"));
const type = /** @type {HTMLSelectElement | null} */ (form.querySelector("select[name=type]"));
const sum = document.querySelector("#sum");

function fit() {
	if (type)
		for (const part of /** @type {NodeListOf<HTMLFieldSetElement>} */ (form.querySelectorAll("fieldset[data-for]")))
			part.hidden = part.disabled = !part.dataset.for?.split(" ").includes(type.value);
}

let asked = 0;

async function workOut() {
	const mine = ++asked;
	await new Promise((done) => setTimeout(done, 250));
	if (mine !== asked || !sum) return;
	const fields = new URLSearchParams(/** @type {any} */ (new FormData(form)));
	fields.set("then", "look");
	try {
		const got = await page(form.action, { method: "POST", body: fields });
		if (mine === asked) sum.textContent = got.document.querySelector("#sum")?.textContent ?? "";
	} catch {
		sum.textContent = "";
	}
}

form.querySelector("[data-look]")?.remove();
form.addEventListener("input", () => (fit(), workOut()));
fit();
