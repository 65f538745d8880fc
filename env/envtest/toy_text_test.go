package envtest_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"github.com/sandtable-farm/sandtable/env"
	"github.com/sandtable-farm/sandtable/env/engine"
)

func (s *state) AppendAction(dst []byte, a env.Action) []byte {
	from, to, _ := s.squares(a)
	if s.game.flaw == "action texts shared" {
		from = 0
	}
	dst = env.AppendSquare(dst, from, side)
	dst = append(dst, '-')
	return env.AppendSquare(dst, to, side)
}

func (s *state) ParseAction(text string) (env.Action, error) {
	if s.game.flaw == "parser panics" && text[0] == '-' {
		return 0, nil
	}
	var list [actions]env.Action
	for _, a := range s.Legal(list[:0]) {
		if env.ActionText(s, a) == text || s.game.flaw == "parser guesses" && text == "a1" {
			return a, nil
		}
	}
	return 0, fmt.Errorf("%q is no legal move", text)
}

func (s *state) AppendPosition(dst []byte) []byte {
	for y := side - 1; y >= 0; y-- {
		empty := byte('0')
		for x := range side {
			piece := s.board[y*side+x]
			if piece == 0 {
				empty++
				continue
			}
			if empty > '0' {
				dst = append(dst, empty)
			}
			empty = '0'
			dst = append(dst, 'a'+byte(owner(piece)))
		}
		if empty > '0' {
			dst = append(dst, empty)
		}
		if y > 0 {
			dst = append(dst, '/')
		}
	}
	dst = append(dst, ' ', 'a'+byte(s.mover), ' ')
	dst = strconv.AppendInt(dst, int64(s.quiet), 10)
	dst = append(dst, ' ')
	return strconv.AppendInt(dst, int64(s.plies), 10)
}

func (s *state) SetPosition(text string) error {
	next := &state{game: s.game, past: new([history]uint64)}
	if s.game.flaw == "position half set" {
		next = s
	}
	fields := strings.Split(text, " ")
	ranks := strings.Split(fields[0], "/")
	if len(fields) != 4 || len(ranks) != side || len(fields[1]) != 1 || fields[1] < "a" || fields[1] > "b" {
		return errors.New("a position is BOARD SIDE QUIET PLIES")
	}
	next.board = [area]int8{}
	count := [2]int8{}
	for i, rank := range ranks {
		x, y := 0, side-1-i
		for _, c := range rank {
			p := int(c - 'a')
			switch {
			case c >= '1' && c <= '3':
				x += int(c - '0')
			case p < 0 || p > 1 || x >= side || count[p] >= stones:
				return fmt.Errorf("rank %q is wrong", rank)
			default:
				count[p]++
				next.board[y*side+x] = int8(p)*stones + count[p]
				x++
			}
		}
		if x != side {
			return fmt.Errorf("rank %q is not three squares", rank)
		}
	}
	next.mover = env.Player(fields[1][0] - 'a')
	var err error
	if next.quiet, err = strconv.Atoi(fields[2]); err != nil || next.quiet > next.game.noProgress {
		return fmt.Errorf("quiet plies %q are no number up to %d", fields[2], next.game.noProgress)
	}
	if next.plies, err = strconv.Atoi(fields[3]); err != nil || bits.Len(uint(next.plies)) > 31 {
		return fmt.Errorf("plies %q are no number", fields[3])
	}
	if now := env.PositionText(next); now != text && next.game.flaw != "loose positions" {
		return fmt.Errorf("position must be written %q", now)
	}
	next.kept = 0
	next.judge()
	next.remember()
	if next != s {
		s.CopyFrom(next)
	}
	return nil
}

func (s *state) AppendBinary(dst []byte) ([]byte, error) {
	begin := len(dst)
	dst = append(dst, s.game.digest...)
	for _, piece := range s.board {
		dst = append(dst, byte(piece))
	}
	dst = append(dst, byte(s.mover), byte(s.over), byte(s.result), byte(s.quiet), byte(s.kept))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(s.plies))
	for _, key := range s.past[:s.kept] {
		if s.game.flaw == "snapshot without history" {
			key = 0
		}
		dst = binary.LittleEndian.AppendUint64(dst, key)
	}
	return engine.Seal(dst, begin), nil
}

func (s *state) UnmarshalBinary(data []byte) error {
	const body, sum = area + 9, 4
	head := len(s.game.digest)
	if len(data) < head+body+sum {
		return errors.New("snapshot ends too early")
	}
	if s.game.flaw == "snapshot changes before it checks" {
		s.plies++
	}
	rest, err := engine.Unseal(data)
	if s.game.flaw == "snapshot without checksum" {
		rest, err = data[:len(data)-sum], nil
	}
	if err != nil {
		return err
	}
	if string(rest[:head]) != s.game.digest && s.game.flaw != "snapshot without digest" {
		return errors.New("snapshot of other rules")
	}
	rest = rest[head:]
	keys := int(rest[area+4])
	if s.game.flaw == "snapshot without the number of keys" {
		keys = (len(rest) - body) / 8
	}
	if keys > history || len(rest) != body+8*keys {
		return errors.New("snapshot is too long")
	}
	for i := range area {
		s.board[i] = int8(rest[i])
	}
	s.mover, s.over, s.result, s.quiet = env.Player(rest[area]), env.Reason(rest[area+1]), env.Result(rest[area+2]), int(rest[area+3])
	s.plies, s.kept = int(binary.LittleEndian.Uint32(rest[area+5:])), keys
	for i := range keys {
		s.past[i] = binary.LittleEndian.Uint64(rest[body+8*i:])
	}
	return nil
}
