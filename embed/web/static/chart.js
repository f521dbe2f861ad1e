// @ts-check
// Reads a line out: the point under the pointer, or the one that the arrow keys have gone to, with its day and amount.

for (const figure of document.querySelectorAll("[data-chart]")) {
	const svg = /** @type {SVGElement} */ (figure.querySelector("svg[data-points]"));
	if (!svg) continue;
	/** @type {[number, number, string, string][]} */
	const points = JSON.parse(svg.dataset.points || "[]");
	const cursor = svg.querySelector(".chart-cursor"), out = figure.querySelector("[role=status]");
	let at = points.length - 1;

	/** @param {number} i */
	const show = (i) => {
		at = Math.min(Math.max(i, 0), points.length - 1);
		const [x, y, day, amount] = points[at];
		cursor?.removeAttribute("hidden");
		cursor?.removeAttribute("display");
		for (const line of cursor?.querySelectorAll("line") ?? []) line.setAttribute("x1", x / 100 + "%"), line.setAttribute("x2", x / 100 + "%");
		for (const dot of cursor?.querySelectorAll("circle") ?? []) dot.setAttribute("cx", x / 100 + "%"), dot.setAttribute("cy", String(y / 10));
		if (out) out.textContent = day + ": " + amount;
	};

	/** @type {HTMLElement} */ (figure).tabIndex = 0;
	figure.addEventListener("pointermove", (event) => {
		const box = svg.getBoundingClientRect(), x = (/** @type {PointerEvent} */ (event).clientX - box.left) / box.width * 10000;
		let best = 0;
		for (let i = 1; i < points.length; i++) if (Math.abs(points[i][0] - x) < Math.abs(points[best][0] - x)) best = i;
		show(best);
	});
	figure.addEventListener("keydown", (event) => {
		const key = /** @type {KeyboardEvent} */ (event).key;
		const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: points.length - 1 }[key];
		if (to === undefined) return;
		event.preventDefault();
		show(to);
	});
}
