package handlers

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// newBrowser starts a browser without a window, with a profile of its own that is empty. The test is skipped where none is installed,
// unless the environment says that one must be.
func newBrowser(t *testing.T) context.Context {
	t.Helper()
	var path string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil && path == "" {
			path = found
		}
	}
	switch {
	case path != "":
	case os.Getenv("FINSVC_CHROMIUM") == "required":
		t.Fatal("Chromium is not installed, and FINSVC_CHROMIUM=required says that it must be")
	default:
		t.Skip("Chromium is not installed, so nobody looks at the page; on Debian: apt-get install chromium")
	}
	ctx, stop := chromedp.NewExecAllocator(context.WithoutCancel(t.Context()), chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir()), chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.NoFirstRun, chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true), chromedp.Flag("disable-dev-shm-usage", true))
	t.Cleanup(stop)
	ctx, end := chromedp.NewContext(ctx)
	t.Cleanup(func() {
		if err := chromedp.Cancel(ctx); err != nil { // waits for the browser to end, which writes into its profile until then
			t.Error(err)
		}
		end()
	})
	return ctx
}

// do takes steps in the browser.
func do(t *testing.T, ctx context.Context, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(ctx, steps...); err != nil {
		t.Fatal(err)
	}
}

// eval asks the page.
func eval[T any](t *testing.T, ctx context.Context, expression string) T {
	t.Helper()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// tooWide lists elements that reach beyond the screen, and are in nothing that scrolls by itself.
const tooWide = `(() => {
	const scrolls = e => { for (; e && e !== document.body; e = e.parentElement) if (['auto', 'scroll', 'hidden'].includes(getComputedStyle(e).overflowX)) return true; return false; };
	const width = document.documentElement.clientWidth;
	return Array.from(document.body.querySelectorAll('*'))
		.filter(e => { const box = e.getBoundingClientRect(); return box.width > 0 && (box.right > width + 1 || box.left < -1) && !scrolls(e); })
		.slice(0, 5).map(e => e.tagName + ' ' + e.textContent.slice(0, 60));
})()`

// shownEntries are the links of the table of contents that a reader can see.
const shownEntries = `Array.from(document.querySelectorAll('nav li')).filter(e => e.offsetParent !== null).map(e => e.textContent)`

// TestDocsInABrowser: the page about the API fits a screen of 1280, and a telephone, as a browser lays it out, and its search finds operations by
// what is typed and leads to them.
func TestDocsInABrowser(t *testing.T) {
	t.Parallel()
	ctx := newBrowser(t)
	h := newRig(t)
	for _, screen := range [][2]int64{{1280, 800}, {1024, 768}, {390, 844}} {
		do(t, ctx, chromedp.EmulateViewport(screen[0], screen[1]), chromedp.Navigate(h.URL+"/api/docs"))
		if width := eval[int64](t, ctx, "document.documentElement.scrollWidth"); width > screen[0] {
			t.Errorf("on a screen of %d the page is %d wide", screen[0], width)
		}
		if wide := eval[[]string](t, ctx, tooWide); len(wide) > 0 {
			t.Errorf("on a screen of %d these reach beyond it: %q", screen[0], wide)
		}
	}

	do(t, ctx, chromedp.EmulateViewport(1280, 800), chromedp.Navigate(h.URL+"/api/docs"), chromedp.WaitVisible("nav input[type=search]"))
	all := eval[int](t, ctx, "document.querySelectorAll('nav li').length")
	do(t, ctx, chromedp.KeyEvent("/"))
	if focused := eval[string](t, ctx, "document.activeElement.type"); focused != "search" {
		t.Errorf("a slash leads to %q, not to the search", focused)
	}
	do(t, ctx, chromedp.KeyEvent(kb.Escape)) // the driver sends the sign by itself as well, which no keyboard does
	do(t, ctx, chromedp.SendKeys("nav input[type=search]", "post valuations"))
	shown := eval[[]string](t, ctx, shownEntries)
	if said := eval[string](t, ctx, "document.getElementById('found').textContent"); len(shown) == 0 || len(shown) >= all || !strings.Contains(said, " found, ") {
		t.Errorf("of %d entries %d are shown for %q, and said is %q", all, len(shown), eval[string](t, ctx, "document.querySelector('nav input').value"), said)
	}
	do(t, ctx, chromedp.KeyEvent(kb.Enter))
	if at := eval[string](t, ctx, "location.hash"); !strings.Contains(strings.ToLower(at), "valuation") {
		t.Errorf("Enter leads to %q", at)
	}
	do(t, ctx, chromedp.SendKeys("nav input[type=search]", kb.Escape))
	if typed := eval[string](t, ctx, "document.querySelector('nav input').value"); typed != "" {
		t.Errorf("Escape leaves %q", typed)
	}
	do(t, ctx, chromedp.SendKeys("nav input[type=search]", "zzqx"))
	if shown := eval[[]string](t, ctx, shownEntries); len(shown) != 0 {
		t.Errorf("found %q", shown)
	}
}
