package combat

// Who sits at the table, and who plays whom.

func (d *Draft) assignSeat(cmd AssignSeat) *Refusal {
	if !d.Knows(cmd.Combatant) {
		return refuse("unknown_combatant", "field", "combatant")
	}
	s := d.State()
	c := s.Combatant(cmd.Combatant)
	if cmd.Seat != "" && s.Seat(cmd.Seat) == nil {
		return refuse("bad_value", "field", "seat")
	}
	if !d.gm() {
		seat := s.Seat(d.By.Seat)
		claims := c.Seat == "" && c.Kind == "pc" && cmd.Seat == d.By.Seat
		leaves := c.Seat == d.By.Seat && cmd.Seat == ""
		if seat == nil || seat.ReadOnly || !claims && !leaves {
			return refuse("not_yours")
		}
	}
	if cmd.Base != nil && *cmd.Base != c.Seat {
		return stale("seat", c.Seat)
	}
	d.Emit(SeatAssigned{Combatant: cmd.Combatant, Seat: cmd.Seat})
	return nil
}

func (d *Draft) addSeat(cmd AddSeat) *Refusal {
	s := d.State()
	if d.By.Role != RolePlayer {
		return refuse("forbidden")
	}
	if r := checkName("name", cmd.Name); r != nil {
		return r
	}
	if !plainID(cmd.Seat) || s.Seat(cmd.Seat) != nil {
		return refuse("bad_value", "field", "seat")
	}
	if len(s.Seats) >= MaxSeats {
		return refuse("too_many", "field", "seats", "limit", MaxSeats)
	}
	d.Emit(SeatAdded(cmd))
	return nil
}

func (d *Draft) editSeat(cmd EditSeat) *Refusal {
	seat := d.State().Seat(cmd.Seat)
	switch {
	case d.By.Role != RoleGM && (d.By.Role != RoleSeat || d.By.Seat != cmd.Seat || cmd.ReadOnly != nil):
		return refuse("forbidden")
	case seat == nil:
		return refuse("bad_value", "field", "seat")
	}
	e := SeatEdited{Seat: seat.ID, Name: seat.Name, ReadOnly: seat.ReadOnly}
	if cmd.Name != nil {
		if r := checkText("name", *cmd.Name, MaxName, true); r != nil {
			return r
		}
		if cmd.Base != nil && *cmd.Base != seat.Name {
			return stale("name", seat.Name)
		}
		e.Name = *cmd.Name
	}
	if cmd.ReadOnly != nil {
		e.ReadOnly = *cmd.ReadOnly
	}
	d.Emit(e)
	return nil
}
