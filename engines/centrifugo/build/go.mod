module engines

go 1.26

require github.com/centrifugal/centrifugo/v5 v5.4.9
