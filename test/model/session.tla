------------------------------- MODULE session -------------------------------
(* The session protocol of model.ts, in TLA+. Both reach the same number of   *)
(* states: test/model/tla.mjs. Names and rules are explained in state.ts and  *)
(* rules.ts. A set of one value binds it: the checker evaluates a definition  *)
(* of LET, and an argument, at each use.                                      *)
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

The(values) == CHOOSE value \in values : TRUE

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
Joined(s, t, pair, got) ==
  LET r == s.tabs[t].revocation
      access == IF got # 0 THEN got ELSE IF IsStale(s, r.pair) THEN 0 ELSE r.pair
  IN IF r.phase = "joining" /\ SameToken(r.pair, pair)
       THEN [s EXCEPT !.tabs[t].revocation =
              [pair |-> r.pair, phase |-> IF access = 0 THEN "renewing" ELSE "deleting", access |-> access]]
       ELSE s
GoesOn(s, t, pair, outcome) ==
  LET knows == s.tabs[t].knows
      waits == s.tabs[t].write.phase = "waiting"
      dropped == IF waits THEN [s EXCEPT !.tabs[t].write = NoWrite] ELSE s
  IN IF outcome = "failed" THEN dropped
     ELSE IF SessionOf(knows) = SessionOf(pair) /\ IsStale(s, knows) THEN Begin(s, t, knows)
     ELSE IF waits /\ knows # 0 /\ SessionOf(knows) = s.tabs[t].write.owner THEN Send(s, t)
     ELSE dropped
Finish(s, t, outcome, got) ==
  LET pair == s.tabs[t].flight.pair
      released == [s EXCEPT !.tabs[t].flight = NoFlight, !.lock = SelectSeq(s.lock, LAMBDA u : u # t)]
  IN The({GoesOn(c, t, pair, outcome) : c \in
       {Joined(b, t, pair, got) : b \in {IF outcome = "failed" THEN released ELSE Look(a, t) : a \in {released}}}})

IsReady(s, t) == s.tabs[t].life = "awake" /\ s.tabs[t].flight.phase = "waiting"
IsFirst(s, t) == IsReady(s, t) /\ (~Locks \/ s.tabs[t].flight.hold = "robbed")
HasLock(s, t) == IsReady(s, t) /\ s.lock # <<>> /\ Head(s.lock) = t

Acquire(s, t) ==
  IF s.store # s.tabs[t].flight.pair THEN The({Finish(a, t, "taken over", 0) : a \in {Look(s, t)}})
  ELSE [Look(s, t) EXCEPT !.tabs[t].flight.phase = "asked"]

(* Tabs whose wait is over go on: a robbed one, then the one that has the lock. *)
Settle1(s) ==
  IF \E t \in Tab : IsFirst(s, t) THEN Acquire(s, CHOOSE t \in Tab : IsFirst(s, t))
  ELSE IF \E t \in Tab : HasLock(s, t) THEN Acquire(s, CHOOSE t \in Tab : HasLock(s, t))
  ELSE s
RECURSIVE Settle(_)
Settle(s) == IF \E t \in Tab : IsFirst(s, t) \/ HasLock(s, t) 
             THEN The({Settle(n) : n \in {Settle1(s)}}) ELSE s

Failed(s, t) == Finish(s, t, "failed", 0)

(* A sign-out empties the store and tells the other tabs. *)
Clear(s, id) ==
  [s EXCEPT !.store = 0, !.sessions[id].isOver = TRUE,
            !.tabs = [t \in Tab |-> IF s.tabs[t].life = "closed" THEN s.tabs[t]
                                    ELSE IF s.tabs[t].life = "stuck" THEN [s.tabs[t] EXCEPT !.isTold = TRUE]
                                    ELSE [s.tabs[t] EXCEPT !.knows = 0]]]

Written(s, t, owner) ==
  LET knows == s.tabs[t].knows
      b == [s EXCEPT !.tabs[t].write = [owner |-> owner, phase |-> "waiting", carries |-> 0]]
  IN IF knows = 0 \/ SessionOf(knows) # owner THEN [s EXCEPT !.tabs[t].write = NoWrite]
     ELSE IF ~IsStale(s, knows) THEN The({Send(c, t) : c \in {b}})
     ELSE IF s.tabs[t].flight.phase # "none" THEN b
     ELSE Begin(b, t, knows)
DoWrite(s, t) ==
  LET owner == IF s.tabs[t].write.phase = "none" THEN SessionOf(s.tabs[t].knows) ELSE s.tabs[t].write.owner
  IN The({Written(a, t, owner) : a \in {Look(s, t)}})

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
     IN \E s \in {[w EXCEPT !.signIns = w.signIns - 1, !.store = pair, !.tabs[t].knows = pair,
                !.sessions = Append(w.sessions,
                   [person |-> p, isAlive |-> TRUE, isOver |-> FALSE, latest |-> 1, expired |-> 0])]} : w' = Settle(s)

LookAtStore(t) == Awake(t) /\ w.tabs[t].knows # w.store /\ w' = Look(w, t)

AskForToken(t) ==
  /\ Awake(t) /\ Flight(t).phase = "none" /\ IsStale(w, w.store)
  /\ \E s \in {Begin(Look(w, t), t, w.store)} : w' = Settle(s)

SignOut(t) ==
  /\ Awake(t) /\ w.tabs[t].knows # 0 /\ Revocation(t).phase = "none"
  /\ LET pair == w.store
         joins == Flight(t).phase # "none" /\ SameToken(Flight(t).pair, pair)
         phase == IF joins THEN "joining" ELSE IF IsStale(w, pair) THEN "renewing" ELSE "deleting"
         revocation == [pair |-> pair, phase |-> phase, access |-> IF phase = "deleting" THEN pair ELSE 0]
     IN \E a \in {Look(w, t)} :
        \E s \in {IF pair = 0 THEN a ELSE [Clear(a, SessionOf(pair)) EXCEPT !.tabs[t].revocation = revocation]} :
          w' = Settle(s)

Write(t) ==
  /\ Awake(t) /\ w.tabs[t].knows # 0 /\ w.tabs[t].write.phase = "none" /\ w.writes > 0 /\ IsFree(t)
  /\ \E s \in {DoWrite(b, t) : b \in {[w EXCEPT !.writes = w.writes - 1]}} : w' = Settle(s)

RefreshDown(t) == Awake(t) /\ Flight(t).phase = "asked" /\ \E s \in {Failed(w, t)} : w' = Settle(s)

RefreshArrives(t) ==
  /\ Flight(t).phase = "asked"
  /\ LET g == Grant(w, Flight(t).pair)
     IN \E s \in {[g[2] EXCEPT !.tabs[t].flight.phase = "answered", !.tabs[t].flight.answer = g[1]]} : w' = Settle(s)

RefreshAnswered(t) ==
  /\ Awake(t) /\ Flight(t).phase = "answered"
  /\ LET f == Flight(t)
         isMine == SameToken(w.store, f.pair)
         outcome == IF f.answer # 0 THEN IF isMine THEN "refreshed" ELSE "taken over"
                    ELSE IF ~isMine THEN "taken over"
                    ELSE IF w.tabs[t].hasSeenRotation /\ ~(Locks /\ f.hold = "alone") THEN "failed"
                    ELSE "ended"
         store == IF outcome = "refreshed" THEN f.answer ELSE IF outcome = "ended" THEN 0 ELSE w.store
     IN \E a \in {Look([w EXCEPT !.store = store], t)} :
        \E s \in {Finish(a, t, outcome, f.answer)} : w' = Settle(s)

AnswerLost(t) ==
  /\ Awake(t) /\ w.faults > 0 /\ IsOut(t)
  /\ \E s \in {[Release(w, t) EXCEPT !.faults = w.faults - 1,
             !.tabs[t].flight = [pair |-> Flight(t).pair, phase |-> "pausing", answer |-> 0, hold |-> "alone"]]} : w' = Settle(s)

AskAgain(t) ==
  /\ Awake(t) /\ Flight(t).phase = "pausing"
  /\ \E s \in {[w EXCEPT !.tabs[t].flight.phase = "waiting", !.lock = IF Locks THEN Append(w.lock, t) ELSE w.lock]} : w' = Settle(s)

TakeLock(t) ==
  /\ Awake(t) /\ Flight(t).phase = "waiting" /\ Len(w.lock) > 1 /\ Head(w.lock) # t
  /\ \E i \in 1..Len(w.lock) : w.lock[i] = t
  /\ LET h == Head(w.lock)
         a == Look(w, t)
     IN /\ w.tabs[h].life = "stuck"
        /\ \E s \in {
             IF w.store # Flight(t).pair THEN Finish(a, t, "taken over", 0)
             ELSE [a EXCEPT !.tabs[h].flight.hold = "robbed", !.tabs[t].flight.hold = "thief",
                     !.lock = <<t>> \o SelectSeq(Tail(w.lock), LAMBDA u : u # t)]} : w' = Settle(s)

WriteAnswered(t) == Awake(t) /\ w.tabs[t].write.phase = "sent" /\ w' = [w EXCEPT !.tabs[t].write = NoWrite]
WriteMustWait(t) == Awake(t) /\ w.tabs[t].write.phase = "sent" /\ w' = [w EXCEPT !.tabs[t].write.phase = "pausing"]
WriteAgain(t) == Awake(t) /\ w.tabs[t].write.phase = "pausing" /\ IsFree(t) /\ \E s \in {DoWrite(w, t)} : w' = Settle(s)

RevocationAnswered(t) ==
  /\ Awake(t) /\ IsEnding(t)
  /\ LET r == Revocation(t)
         g == Grant(w, r.pair)
     IN \E s \in {
          IF r.phase = "renewing"
            THEN IF g[1] = 0 THEN [g[2] EXCEPT !.tabs[t].revocation = NoRevocation]
                 ELSE [g[2] EXCEPT !.tabs[t].revocation = [pair |-> r.pair, phase |-> "deleting", access |-> g[1]]]
          ELSE IF IsStale(w, r.access)
            THEN [w EXCEPT !.tabs[t].revocation = [pair |-> r.pair, phase |-> "renewing", access |-> 0]]
          ELSE [w EXCEPT !.sessions[SessionOf(r.pair)].isAlive = FALSE, !.tabs[t].revocation = NoRevocation]} : w' = Settle(s)

RevocationFails(t) ==
  /\ Awake(t) /\ w.faults > 0 /\ IsEnding(t)
  /\ w' = [w EXCEPT !.faults = w.faults - 1, !.tabs[t].revocation = NoRevocation]

Stick(t) == Awake(t) /\ w.faults > 0 /\ w' = [w EXCEPT !.faults = w.faults - 1, !.tabs[t].life = "stuck"]

Wake(t) ==
  /\ w.tabs[t].life = "stuck"
  /\ LET a == [w EXCEPT !.tabs[t].life = "awake", !.tabs[t].isTold = FALSE]
     IN \E s \in {IF w.tabs[t].isTold THEN Look(a, t) ELSE a} : w' = Settle(s)

Close(t) ==
  /\ w.tabs[t].life # "closed" /\ w.faults > 0
  /\ \E s \in {[Release(w, t) EXCEPT !.faults = w.faults - 1, !.tabs[t] = [Fresh EXCEPT !.life = "closed"]]} : w' = Settle(s)

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
