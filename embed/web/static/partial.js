// @ts-check
// Puts a part of the next page in the place of that part of this one. A form or a link names the part: data-into="#id".
// Without this module the whole page comes, which says the same.

/** The only place where text becomes elements, and only text that this server has sent. */
const policy = window.trustedTypes?.createPolicy("finsvc", { createHTML: (text) => text }) ?? { createHTML: (/** @type {string} */ t) => t };

/** Asks this server for a page and reads it. @param {string} url @param {RequestInit} [init] */
export async function page(url, init) {
	const answer = await fetch(url, { ...init, headers: { "X-Partial": "1" }, redirect: "follow" });
	const text = await answer.text();
	if (!answer.headers.get("Content-Type")?.startsWith("text/html") || new URL(answer.url).origin !== location.origin)
		throw new Error("no page");
	const read = new DOMParser().parseFromString(/** @type {string} */ (policy.createHTML(text)), "text/html");
	return { document: read, url: answer.url, ok: answer.ok };
}

/** Puts a part of a page into this one, and says so. @param {Document} from @param {string} part */
export function take(from, part) {
	const fresh = from.querySelector(part), old = document.querySelector(part);
	if (!fresh || !old) return false;
	old.replaceWith(document.adoptNode(fresh));
	const focus = /** @type {HTMLElement | null} */ (fresh.querySelector("[autofocus]"));
	focus?.focus();
	document.dispatchEvent(new CustomEvent("taken", { detail: fresh }));
	return true;
}

/** @param {SubmitEvent} event */
export async function post(event) {
	const form = /** @type {HTMLFormElement} */ (event.target), part = form.dataset.into;
	if (!part || event.defaultPrevented) return;
	event.preventDefault();
	const data = new FormData(form, event.submitter), get = form.method === "get";
	const fields = new URLSearchParams(/** @type {any} */ (data));
	const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
	const url = button?.formAction && button.hasAttribute("formaction") ? button.formAction : form.action;
	try {
		if (button) button.disabled = true;
		const got = get ? await page(url.split("?")[0] + "?" + fields) : await page(url, { method: "POST", body: fields });
		if (!take(got.document, part)) throw new Error("no part");
		if (got.ok) history.replaceState(null, "", got.url);
	} catch {
		form.removeAttribute("data-into");
		if (button) button.disabled = false;
		form.requestSubmit(button);
	} finally {
		if (button) button.disabled = false;
	}
}

/** @param {MouseEvent} event */
export async function visit(event) {
	const link = /** @type {Element} */ (event.target).closest?.("a[data-into]");
	if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
	event.preventDefault();
	try {
		const got = await page(link.href);
		if (!got.ok || !take(got.document, link.dataset.into || "")) throw new Error("no part");
		history.pushState(null, "", got.url);
	} catch {
		location.assign(link.href);
	}
}

addEventListener("popstate", () => location.reload());
