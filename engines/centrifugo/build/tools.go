//go:build tools

package tools

import _ "github.com/centrifugal/centrifugo/v5"
