// @ts-check
// A chat: an answer as it is written. Without this module the page is loaded anew to see it.
import { page, take } from "./partial.js";

/** @type {EventSource | null} */
let events = null;

/** Listens as long as the page is seen: a browser has few connections. */
function listen() {
	const work = /** @type {HTMLElement | null} */ (document.querySelector("#answer"));
	if (!work || document.hidden || events) return;
	events = new EventSource(work.dataset.events || "");
	events.addEventListener("answer", (event) => {
		const now = JSON.parse(event.data), text = work.querySelector("[data-text]"), looks = work.querySelector("ul");
		if (text) text.textContent = (now.goes_on ? text.textContent : "") + now.more;
		looks?.replaceChildren(...now.looks.map((/** @type {{what: string, path: string}} */ l) => {
			const item = document.createElement("li"), what = document.createElement(l.path ? "a" : "span");
			what.textContent = l.what;
			if (l.path) what.setAttribute("href", l.path);
			item.append("looked at ", what);
			return item;
		}));
	});
	events.addEventListener("done", settle);
	events.addEventListener("error", () => {
		if (events?.readyState === EventSource.CLOSED) settle();
	});
}

function rest() {
	events?.close();
	events = null;
}

/** Shows the chat as it is by now, and listens to the next answer if there is one. */
async function settle() {
	rest();
	try {
		take((await page(location.href)).document, "#talk");
		listen();
	} catch {
		setTimeout(() => location.reload(), 3000);
	}
}

document.addEventListener("visibilitychange", () => (document.hidden ? rest() : listen()));
addEventListener("pagehide", rest);
listen();
