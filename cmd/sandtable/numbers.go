package main

import (
	"errors"
	"math/big"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// acceptNumbers lets the whole-number flags of a command, and of the commands below it,
// take 100k, 2M and 1e5 as well as digits.
func acceptNumbers(cmd *cobra.Command) {
	cmd.LocalFlags().VisitAll(func(flag *pflag.Flag) {
		switch flag.Value.Type() {
		case "int", "int32", "int64", "uint64":
			if _, done := flag.Value.(wholeNumber); !done {
				flag.Value = wholeNumber{flag.Value}
			}
		}
	})
	for _, sub := range cmd.Commands() {
		acceptNumbers(sub)
	}
}

// A wholeNumber is the value of a flag whose type is an integer.
type wholeNumber struct{ pflag.Value }

// Set implements pflag.Value.
func (n wholeNumber) Set(text string) error {
	digits, err := wholeDigits(text)
	if err != nil {
		return err
	}
	if err := n.Value.Set(digits); err != nil {
		return errors.New("the number is too large, or negative where it must not be")
	}
	return nil
}

// wholeDigits returns the digits of a whole number with a suffix k, M or G, an exponent, or
// underscores or commas between groups of digits.
func wholeDigits(text string) (string, error) {
	const most = 40 // characters; more than any number has
	number := text
	exponent := ""
	for _, suffix := range []struct{ name, exponent string }{{"k", "e3"}, {"K", "e3"}, {"M", "e6"}, {"G", "e9"}} {
		if rest, ok := strings.CutSuffix(text, suffix.name); ok {
			number, exponent = rest, suffix.exponent
		}
	}
	number = strings.NewReplacer("_", "", ",", "").Replace(number)
	if _, err := strconv.ParseFloat(number+exponent, 64); err == nil && len(text) <= most && strings.Trim(number, "+-.0123456789eE") == "" {
		if value, ok := new(big.Rat).SetString(number + exponent); ok && value.IsInt() {
			return value.Num().String(), nil
		}
	}
	return "", errors.New("must be a whole number such as 5000, 100k, 1e5 or 2M")
}
