// @ts-check
// Imports: how far one is, as it happens, and a file that is dropped anywhere on the page.

const work = /** @type {HTMLElement | null} */ (document.querySelector("#work"));
const title = document.title;

/** @type {EventSource | null} */
let events = null;

/** Listens as long as the page is seen: a browser has few connections. */
function listen() {
	if (!work || document.hidden || events) return;
	events = new EventSource(work.dataset.events || "");
	events.addEventListener("progress", (event) => {
		const at = JSON.parse(event.data), bar = work.querySelector("progress"), text = work.querySelector("[data-progress]");
		if (bar) bar.max = Math.max(1, at.total), bar.value = at.done;
		if (text) text.textContent = `${at.done} of ${at.total} rows` + (at.left ? `, about ${at.left} s left` : "");
		document.title = `${at.state} · ${title.split(" · ").slice(1).join(" · ")}`;
	});
	events.addEventListener("done", () => {
		rest();
		location.reload();
	});
	events.addEventListener("error", () => {
		if (events?.readyState !== EventSource.CLOSED) return;
		rest();
		setTimeout(() => location.reload(), 3000);
	});
}

function rest() {
	events?.close();
	events = null;
}

document.addEventListener("visibilitychange", () => (document.hidden ? rest() : listen()));
addEventListener("pagehide", rest);
listen();

const form = /** @type {HTMLFormElement | null} */ (document.querySelector("#upload"));
const field = /** @type {HTMLInputElement | null} */ (form?.querySelector("input[type=file]") ?? null);
if (form && field) {
	document.addEventListener("dragover", (event) => {
		if (!event.dataTransfer?.types.includes("Files")) return;
		event.preventDefault();
		form.classList.add("ready");
	});
	document.addEventListener("dragleave", (event) => {
		if (!event.relatedTarget) form.classList.remove("ready");
	});
	document.addEventListener("drop", (event) => {
		form.classList.remove("ready");
		if (!event.dataTransfer?.files.length) return;
		event.preventDefault();
		field.files = event.dataTransfer.files;
		form.requestSubmit();
	});
}
