// Writes golden.tsv: how Intl.NumberFormat prints money. Made with Node 20.20.2 (CLDR 48.0):
//
//	node ledger/testdata/golden.mjs > ledger/testdata/golden.tsv
//
// Three things are set to what is specified instead of CLDR: the digits 0-9, the decimals of ISO 4217, and
// a minus in front of everything.

const locales = [
  'en', 'en-US', 'en-GB', 'en-CA', 'en-IN', 'de-DE', 'de-AT', 'de-CH', 'fr-FR', 'fr-CA', 'es-ES', 'es-MX', 'it-IT', 'nl-NL',
  'pt-BR', 'pt-PT', 'sv-SE', 'nb-NO', 'da-DK', 'fi-FI', 'pl-PL', 'cs-CZ', 'hu-HU', 'ru-RU', 'tr-TR', 'ja-JP', 'ko-KR', 'zh-CN',
  'zh-TW', 'zh-Hant-HK', 'hi-IN', 'ar-EG', 'he-IL', 'fa-IR', 'sr-Latn-RS', 'lv-LV',
];
const decimals = { USD: 2, EUR: 2, CHF: 2, INR: 2, HUF: 2, JPY: 0, KWD: 3, BTC: 8 };
const amounts = ['0', '7', '99999', '123456', '-1234567890', '-9000000000000000'];

function print(format, minor, places) {
  const negative = minor.startsWith('-');
  const digits = minor.replace('-', '').padStart(places + 1, '0');
  const point = digits.length - places;
  // From text, because only that is exact.
  const text = format.format(digits.slice(0, point) + '.' + digits.slice(point));
  return (negative ? '-' : '') + text;
}

for (const locale of locales) {
  for (const [currency, places] of Object.entries(decimals)) {
    const format = new Intl.NumberFormat(locale, {
      style: 'currency', currency, numberingSystem: 'latn', minimumFractionDigits: places, maximumFractionDigits: places,
    });
    for (const minor of amounts) {
      console.log([locale, currency, minor, print(format, minor, places)].join('\t'));
    }
  }
}
