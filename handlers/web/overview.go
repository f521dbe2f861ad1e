package web

// overviewView is what the overview shows.
type overviewView struct{}

// showOverview answers GET /.
func showOverview(v *visit) error { return v.render("overview", "Overview", overviewView{}) }
