package catalog

import "strings"

// defaultIcon is that of a category whose name suggests none.
const defaultIcon = "shapes"

// iconWords suggest an icon by words in a category's name; the first match counts.
var iconWords = []struct{ icon, words string }{
	{"circle-dollar-sign", "income salary paycheck wage earning"},
	{"shopping-bag", "groceries grocery supermarket"},
	{"utensils", "food dining restaurant meal lunch dinner breakfast"},
	{"coffee", "coffee cafe café"},
	{"shopping-cart", "shopping retail"},
	{"bus", "transport transit commute subway metro"},
	{"circle-parking", "parking"},
	{"car", "car auto vehicle"},
	{"fuel", "gas fuel petrol"},
	{"plane", "flight airline travel trip vacation holiday"},
	{"hotel", "hotel lodging accommodation"},
	{"film", "movie cinema film theater theatre"},
	{"music", "music concert"},
	{"gamepad-2", "game gaming"},
	{"drama", "entertainment leisure"},
	{"dumbbell", "sport fitness gym workout exercise"},
	{"pill", "pharmacy drug medicine pill medication dental dentist"},
	{"stethoscope", "health medical clinic doctor physician"},
	{"scissors", "personal_care beauty salon spa hair"},
	{"home", "mortgage rent home house apartment housing"},
	{"hammer", "improvement renovation remodel"},
	{"wrench", "repair maintenance"},
	{"zap", "electric power energy"},
	{"waves", "water sewage"},
	{"wifi", "internet cable broadband subscription streaming"},
	{"lightbulb", "utilities utility"},
	{"phone", "phone telephone"},
	{"smartphone", "mobile cell"},
	{"shield", "insurance"},
	{"gift", "gift present"},
	{"hand-helping", "donat charity nonprofit"},
	{"landmark", "tax irs revenue"},
	{"credit-card", "loan debt credit_card"},
	{"briefcase", "service professional"},
	{"receipt", "fee charge"},
	{"landmark", "bank banking"},
	{"piggy-bank", "saving"},
	{"trending-up", "invest stock fund portfolio"},
	{"paw-print", "pet dog cat animal vet"},
	{"graduation-cap", "education school university college tuition"},
	{"book", "book reading library"},
	{"baby", "child kid baby infant daycare"},
	{"shirt", "cloth apparel fashion wear"},
	{"ticket", "ticket"},
}

// suggestIcon is the icon for a category's name. Words count anywhere in it, as in the application whose API
// this is: "Personal care" gets the car.
func suggestIcon(name string) string {
	name = strings.ToLower(name)
	for _, s := range iconWords {
		for word := range strings.FieldsSeq(s.words) {
			if strings.Contains(name, strings.ReplaceAll(word, "_", " ")) {
				return s.icon
			}
		}
	}
	return defaultIcon
}
