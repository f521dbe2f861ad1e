package importer_test

import "testing"

// TestDetectNames: which of several texts names a payment. Rows are DATE AMOUNT NAME.
func TestDetectNames(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]detectCase{
		"what is the same in every row names nothing": {"Date,Description,Description 1,Amount\n2026-02-13,Private account,Grocer,-5.00\n2026-02-14,Private account,Rent,-6.00\n2026-02-15,Private account,Work,70.00\n", "",
			"26-02-13 -5.00 Grocer; 26-02-14 -6.00 Rent; 26-02-15 70.00 Work"},
		"of two rows it may be chance": {"Date,Payee,Memo,Amount\n2026-02-13,Grocer,bread,-5.00\n2026-02-14,Grocer,milk,-6.00\n", "",
			"26-02-13 -5.00 Grocer; 26-02-14 -6.00 Grocer"},
		"a reference is no name": {"Date,Reference,Remarks,Amount\n2026-02-13,'001,POS GROCER,-5.00\n2026-02-14,'002,TRANSFER WORK,70.00\n", "",
			"26-02-13 -5.00 POS GROCER; 26-02-14 70.00 TRANSFER WORK"},
		"slashes are no notes": {"日期,备注,订单标题,金额\n2026-02-13,/,喜茶,-5.00\n2026-02-14,/,蛋挞,-6.00\n2026-02-15,/,退款,7.00\n",
			"CNY",
			"26-02-13 -5.00 喜茶; 26-02-14 -6.00 蛋挞; 26-02-15 7.00 退款"},
		"numbered headers": {"Trade date,Debit,Credit,Description1,Description3\n2026-02-13,5.00,,MART CAFE,Transaction no. 1\n2026-02-14,,70.00,ACME,Reason for payment\n", "",
			"26-02-13 -5.00 MART CAFE; 26-02-14 70.00 ACME"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := readDetected(t, c.file, orElse(c.currency, "EUR")); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// A header that names two things at once is read the same way every time.
func TestDetectIsTheSameEveryTime(t *testing.T) {
	t.Parallel()
	const file = "记账日期,金额,附言,对方账户名\n2026-02-13,-5.00,转账,张三\n2026-02-14,6.00,工资,公司\n"
	for range 20 {
		if got, want := readDetected(t, file, "CNY"), "26-02-13 -5.00 张三; 26-02-14 6.00 公司"; got != want {
			t.Fatalf("got  %s\nwant %s", got, want)
		}
	}
}
