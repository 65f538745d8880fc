//go:build !docs

package main

import "github.com/spf13/cobra"

func (a *app) buildCommands() []*cobra.Command { return nil }
