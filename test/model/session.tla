------------------------------- MODULE session -------------------------------
(* The session protocol of model.ts, in TLA+. Both reach the same number of   *)
(* states: test/model/tla.mjs. Names and rules are explained in state.ts and  *)
(* rules.ts.                                                                  *)
EXTENDS Naturals, Sequences

CONSTANTS Tab, Person, Rotating, Locks, SignIns, Writes, Expiries, Faults

VARIABLE w

NoFlight == [pair |-> 0, phase |-> "none", answer |-> 0, hold |-> "alone"]
NoWrite == [owner |-> 0, phase |-> "none", carries |-> 0]
NoRevocation == [pair |-> 0, phase |-> "none", access |-> 0]
Fresh == [life |-> "awake", knows |-> 0, hasSeenRotation |-> FALSE, isTold |-> FALSE,
          flight |-> NoFlight, write |-> NoWrite, revocation |-> NoRevocation]

Init == w = [store |-> 0, tabs |-> [t \in Tab |-> Fresh], lock |-> <<>>, sessions |-> <<>>,
             signIns |-> SignIns, writes |-> Writes, expiries |-> Expiries, faults |-> Faults, harm |-> ""]

SessionOf(p) == p \div 10
SameToken(p, q) == IF Rotating THEN p = q ELSE SessionOf(p) = SessionOf(q)
IsStale(s, p) == p # 0 /\ (p % 10) <= s.sessions[SessionOf(p)].expired

(* What the platform answers to a refresh, and the state after it; 0: refused. *)
Grant(s, p) ==
  LET id == SessionOf(p)
      z == s.sessions[id]
      n == p % 10
  IN IF ~z.isAlive THEN <<0, s>>
     ELSE IF n = z.latest \/ ~Rotating
       THEN <<10 * id + z.latest + 1, [s EXCEPT !.sessions[id].latest = z.latest + 1]>>
     ELSE IF n + 1 = z.latest /\ z.latest > z.expired THEN <<p + 1, s>>
     ELSE <<0, [s EXCEPT !.sessions[id].isAlive = FALSE]>>

Look(s, t) ==
  LET knows == s.tabs[t].knows
      rotated == SessionOf(knows) = SessionOf(s.store) /\ ~SameToken(knows, s.store)
  IN [s EXCEPT !.tabs[t].knows = s.store, !.tabs[t].hasSeenRotation = (s.tabs[t].hasSeenRotation \/ rotated)]

Begin(s, t, p) ==
  [s EXCEPT !.tabs[t].flight = [pair |-> p, phase |-> "waiting", answer |-> 0, hold |-> "alone"],
            !.lock = IF Locks THEN Append(s.lock, t) ELSE s.lock]

Release(s, t) == [s EXCEPT !.lock = SelectSeq(s.lock, LAMBDA u : u # t)]

Harmed(s, text) == [s EXCEPT !.harm = IF s.harm = "" THEN text ELSE s.harm]

Send(s, t) ==
  LET p == s.tabs[t].knows
      a == [s EXCEPT !.tabs[t].write.phase = "sent", !.tabs[t].write.carries = SessionOf(p)]
  IN IF IsStale(s, p) THEN Harmed(a, "an expired access token is sent")
     ELSE IF SessionOf(s.store) # SessionOf(p) THEN Harmed(a, "a write is sent for a session that has gone")
     ELSE a

(* A refresh is over: its callers go on. *)
Finish(s, t, outcome, got) ==
  LET f == s.tabs[t].flight
      a == [Release(s, t) EXCEPT !.tabs[t].flight = NoFlight]
      b == IF outcome = "failed" THEN a ELSE Look(a, t)
      r == b.tabs[t].revocation
      access == IF got # 0 THEN got ELSE IF IsStale(b, r.pair) THEN 0 ELSE r.pair
      c == IF r.phase = "joining" /\ SameToken(r.pair, f.pair)
             THEN [b EXCEPT !.tabs[t].revocation =
                    [pair |-> r.pair, phase |-> IF access = 0 THEN "renewing" ELSE "deleting", access |-> access]]
             ELSE b
      knows == c.tabs[t].knows
      waits == c.tabs[t].write.phase = "waiting"
      dropped == IF waits THEN [c EXCEPT !.tabs[t].write = NoWrite] ELSE c
  IN IF outcome = "failed" THEN dropped
     ELSE IF SessionOf(knows) = SessionOf(f.pair) /\ IsStale(c, knows) THEN Begin(c, t, knows)
     ELSE IF waits /\ knows # 0 /\ SessionOf(knows) = c.tabs[t].write.owner THEN Send(c, t)
     ELSE dropped

IsReady(s, t) == s.tabs[t].life = "awake" /\ s.tabs[t].flight.phase = "waiting"
IsFirst(s, t) == IsReady(s, t) /\ (~Locks \/ s.tabs[t].flight.hold = "robbed")
HasLock(s, t) == IsReady(s, t) /\ s.lock # <<>> /\ Head(s.lock) = t

Acquire(s, t) ==
  LET f == s.tabs[t].flight
      a == Look(s, t)
  IN IF s.store # f.pair THEN Finish(a, t, "taken over", 0)
     ELSE [a EXCEPT !.tabs[t].flight.phase = "asked"]

(* Tabs whose wait is over go on: a robbed one, then the one that has the lock. *)
Settle1(s) ==
  IF \E t \in Tab : IsFirst(s, t) THEN Acquire(s, CHOOSE t \in Tab : IsFirst(s, t))
  ELSE IF \E t \in Tab : HasLock(s, t) THEN Acquire(s, CHOOSE t \in Tab : HasLock(s, t))
  ELSE s
RECURSIVE Settle(_)
Settle(s) == IF \E t \in Tab : IsFirst(s, t) \/ HasLock(s, t) THEN Settle(Settle1(s)) ELSE s

Failed(s, t) == Finish(s, t, "failed", 0)

(* A sign-out empties the store and tells the other tabs. *)
Clear(s, id) ==
  [s EXCEPT !.store = 0, !.sessions[id].isOver = TRUE,
            !.tabs = [t \in Tab |-> IF s.tabs[t].life = "closed" THEN s.tabs[t]
                                    ELSE IF s.tabs[t].life = "stuck" THEN [s.tabs[t] EXCEPT !.isTold = TRUE]
                                    ELSE [s.tabs[t] EXCEPT !.knows = 0]]]

DoWrite(s, t) ==
  LET wr == s.tabs[t].write
      owner == IF wr.phase = "none" THEN SessionOf(s.tabs[t].knows) ELSE wr.owner
      a == Look(s, t)
      knows == a.tabs[t].knows
      b == [a EXCEPT !.tabs[t].write = [owner |-> owner, phase |-> "waiting", carries |-> 0]]
  IN IF knows = 0 \/ SessionOf(knows) # owner THEN [a EXCEPT !.tabs[t].write = NoWrite]
     ELSE IF ~IsStale(b, knows) THEN Send(b, t)
     ELSE IF b.tabs[t].flight.phase # "none" THEN b
     ELSE Begin(b, t, knows)

IsFree(t) ==
  \/ w.tabs[t].flight.phase = "none"
  \/ ~IsStale(w, w.store)
  \/ SameToken(w.tabs[t].flight.pair, w.store)

Awake(t) == w.tabs[t].life = "awake"
Flight(t) == w.tabs[t].flight
Revocation(t) == w.tabs[t].revocation
IsOut(t) == Flight(t).phase \in {"asked", "answered"}
IsEnding(t) == Revocation(t).phase \in {"renewing", "deleting"}

SignIn(t, p) ==
  /\ Awake(t) /\ w.signIns > 0
  /\ LET pair == 10 * (Len(w.sessions) + 1) + 1
     IN w' = Settle([w EXCEPT !.signIns = w.signIns - 1, !.store = pair, !.tabs[t].knows = pair,
                !.sessions = Append(w.sessions,
                   [person |-> p, isAlive |-> TRUE, isOver |-> FALSE, latest |-> 1, expired |-> 0])])

LookAtStore(t) == Awake(t) /\ w.tabs[t].knows # w.store /\ w' = Settle(Look(w, t))

AskForToken(t) ==
  /\ Awake(t) /\ Flight(t).phase = "none" /\ IsStale(w, w.store)
  /\ LET a == Look(w, t) IN w' = Settle(Begin(a, t, a.store))

SignOut(t) ==
  /\ Awake(t) /\ w.tabs[t].knows # 0 /\ Revocation(t).phase = "none"
  /\ LET a == Look(w, t)
         pair == a.store
         joins == Flight(t).phase # "none" /\ SameToken(Flight(t).pair, pair)
         fresh == ~IsStale(a, pair)
     IN w' = Settle(IF pair = 0 THEN a
                    ELSE [Clear(a, SessionOf(pair)) EXCEPT !.tabs[t].revocation =
                      [pair |-> pair,
                       phase |-> IF joins THEN "joining" ELSE IF fresh THEN "deleting" ELSE "renewing",
                       access |-> IF ~joins /\ fresh THEN pair ELSE 0]])

Write(t) ==
  /\ Awake(t) /\ w.tabs[t].knows # 0 /\ w.tabs[t].write.phase = "none" /\ w.writes > 0 /\ IsFree(t)
  /\ w' = Settle(DoWrite([w EXCEPT !.writes = w.writes - 1], t))

RefreshDown(t) == Awake(t) /\ Flight(t).phase = "asked" /\ w' = Settle(Failed(w, t))

RefreshArrives(t) ==
  /\ Flight(t).phase = "asked"
  /\ LET g == Grant(w, Flight(t).pair)
     IN w' = Settle([g[2] EXCEPT !.tabs[t].flight.phase = "answered", !.tabs[t].flight.answer = g[1]])

RefreshAnswered(t) ==
  /\ Awake(t) /\ Flight(t).phase = "answered"
  /\ LET f == Flight(t)
         isMine == SameToken(w.store, f.pair)
         stored == Look([w EXCEPT !.store = f.answer], t)
         a == Look(w, t)
         ended == [a EXCEPT !.store = 0, !.tabs[t].knows = 0]
     IN w' = Settle(
          IF f.answer # 0 THEN IF isMine THEN Finish(stored, t, "refreshed", f.answer)
                               ELSE Finish(w, t, "taken over", f.answer)
          ELSE IF ~isMine THEN Finish(a, t, "taken over", 0)
          ELSE IF a.tabs[t].hasSeenRotation /\ ~(Locks /\ f.hold = "alone") THEN Failed(a, t)
          ELSE Finish(ended, t, "ended", 0))

AnswerLost(t) ==
  /\ Awake(t) /\ w.faults > 0 /\ IsOut(t)
  /\ w' = Settle([Release(w, t) EXCEPT !.faults = w.faults - 1,
             !.tabs[t].flight = [pair |-> Flight(t).pair, phase |-> "pausing", answer |-> 0, hold |-> "alone"]])

AskAgain(t) ==
  /\ Awake(t) /\ Flight(t).phase = "pausing"
  /\ w' = Settle([w EXCEPT !.tabs[t].flight.phase = "waiting", !.lock = IF Locks THEN Append(w.lock, t) ELSE w.lock])

TakeLock(t) ==
  /\ Awake(t) /\ Flight(t).phase = "waiting" /\ Len(w.lock) > 1 /\ Head(w.lock) # t
  /\ \E i \in 1..Len(w.lock) : w.lock[i] = t
  /\ LET h == Head(w.lock)
         a == Look(w, t)
     IN /\ w.tabs[h].life = "stuck"
        /\ w' = Settle(
             IF w.store # Flight(t).pair THEN Finish(a, t, "taken over", 0)
             ELSE [a EXCEPT !.tabs[h].flight.hold = "robbed", !.tabs[t].flight.hold = "thief",
                     !.lock = <<t>> \o SelectSeq(Tail(w.lock), LAMBDA u : u # t)])

WriteAnswered(t) == Awake(t) /\ w.tabs[t].write.phase = "sent" /\ w' = [w EXCEPT !.tabs[t].write = NoWrite]
WriteMustWait(t) == Awake(t) /\ w.tabs[t].write.phase = "sent" /\ w' = [w EXCEPT !.tabs[t].write.phase = "pausing"]
WriteAgain(t) == Awake(t) /\ w.tabs[t].write.phase = "pausing" /\ IsFree(t) /\ w' = Settle(DoWrite(w, t))

RevocationAnswered(t) ==
  /\ Awake(t) /\ IsEnding(t)
  /\ LET r == Revocation(t)
         g == Grant(w, r.pair)
     IN w' = Settle(
          IF r.phase = "renewing"
            THEN IF g[1] = 0 THEN [g[2] EXCEPT !.tabs[t].revocation = NoRevocation]
                 ELSE [g[2] EXCEPT !.tabs[t].revocation = [pair |-> r.pair, phase |-> "deleting", access |-> g[1]]]
          ELSE IF IsStale(w, r.access)
            THEN [w EXCEPT !.tabs[t].revocation = [pair |-> r.pair, phase |-> "renewing", access |-> 0]]
          ELSE [w EXCEPT !.sessions[SessionOf(r.pair)].isAlive = FALSE, !.tabs[t].revocation = NoRevocation])

RevocationFails(t) ==
  /\ Awake(t) /\ w.faults > 0 /\ IsEnding(t)
  /\ w' = [w EXCEPT !.faults = w.faults - 1, !.tabs[t].revocation = NoRevocation]

Stick(t) == Awake(t) /\ w.faults > 0 /\ w' = [w EXCEPT !.faults = w.faults - 1, !.tabs[t].life = "stuck"]

Wake(t) ==
  /\ w.tabs[t].life = "stuck"
  /\ LET a == [w EXCEPT !.tabs[t].life = "awake", !.tabs[t].isTold = FALSE]
     IN w' = Settle(IF w.tabs[t].isTold THEN Look(a, t) ELSE a)

Close(t) ==
  /\ w.tabs[t].life # "closed" /\ w.faults > 0
  /\ w' = Settle([Release(w, t) EXCEPT !.faults = w.faults - 1, !.tabs[t] = [Fresh EXCEPT !.life = "closed"]])

Open(t) == w.tabs[t].life = "closed" /\ w' = [w EXCEPT !.tabs[t].life = "awake", !.tabs[t].knows = w.store]

IsTravelling(t) == Flight(t).phase = "asked" \/ w.tabs[t].write.phase = "sent" \/ IsEnding(t)

TenMinutes ==
  /\ w.expiries > 0 /\ w.sessions # <<>> /\ \A t \in Tab : ~IsTravelling(t)
  /\ w' = [w EXCEPT !.expiries = w.expiries - 1,
             !.sessions = [i \in 1..Len(w.sessions) |-> [w.sessions[i] EXCEPT !.expired = w.sessions[i].latest]]]

EndElsewhere ==
  /\ w.faults > 0 /\ w.store # 0 /\ w.sessions[SessionOf(w.store)].isAlive
  /\ w' = [w EXCEPT !.faults = w.faults - 1, !.sessions[SessionOf(w.store)].isAlive = FALSE]

Next ==
  \/ TenMinutes
  \/ EndElsewhere
  \/ \E t \in Tab :
       \/ \E p \in Person : SignIn(t, p)
       \/ LookAtStore(t) \/ AskForToken(t) \/ SignOut(t) \/ Write(t)
       \/ RefreshDown(t) \/ RefreshArrives(t) \/ RefreshAnswered(t) \/ AnswerLost(t) \/ AskAgain(t) \/ TakeLock(t)
       \/ WriteAnswered(t) \/ WriteMustWait(t) \/ WriteAgain(t)
       \/ RevocationAnswered(t) \/ RevocationFails(t)
       \/ Stick(t) \/ Wake(t) \/ Close(t) \/ Open(t)

Harmless == w.harm = ""
IsOver(p) == IF p = 0 THEN FALSE ELSE w.sessions[SessionOf(p)].isOver
NothingComesBack ==
  /\ ~IsOver(w.store)
  /\ w.store = 0 \/ SessionOf(w.store) = Len(w.sessions)
  /\ \A t \in Tab : ~(Awake(t) /\ IsOver(w.tabs[t].knows))
NoSessionIsLost ==
  IF w.sessions = <<>> \/ w.store # 0 THEN TRUE
  ELSE ~w.sessions[Len(w.sessions)].isAlive \/ w.sessions[Len(w.sessions)].isOver
OneRefresh ==
  Locks => \A t, u \in Tab : IsOut(t) /\ IsOut(u) /\ Flight(t).hold # "robbed" /\ Flight(u).hold # "robbed" => t = u
NoOtherPerson ==
  \A t \in Tab : IF w.tabs[t].write.carries = 0 THEN TRUE
    ELSE w.sessions[w.tabs[t].write.carries].person = w.sessions[w.tabs[t].write.owner].person
=============================================================================
