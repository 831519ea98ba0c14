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
NoRevocation == [pair |-> 0, phase |-> "none", access |-> 0, hold |-> "alone"]
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
            !.lock = IF Locks THEN Append(s.lock, <<t, "flight">>) ELSE s.lock]

(* Entries of the lock: the flight of a tab, or its revocation. *)
Release(s, entry) == [s EXCEPT !.lock = SelectSeq(s.lock, LAMBDA u : u # entry)]

(* A sign-out wants another access token, off the store. *)
Renew(s, t, p) ==
  [s EXCEPT !.tabs[t].revocation =
              [pair |-> p, phase |-> IF Locks THEN "waiting" ELSE "renewing", access |-> 0, hold |-> "alone"],
            !.lock = IF Locks THEN Append(s.lock, <<t, "revocation">>) ELSE s.lock]
Deleting(p, access) == [pair |-> p, phase |-> "deleting", access |-> access, hold |-> "alone"]

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
       THEN IF access = 0 THEN Renew(s, t, r.pair) ELSE [s EXCEPT !.tabs[t].revocation = Deleting(r.pair, access)]
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
      released == [Release(s, <<t, "flight">>) EXCEPT !.tabs[t].flight = NoFlight]
  IN The({GoesOn(c, t, pair, outcome) : c \in
       {Joined(b, t, pair, got) : b \in {IF outcome = "failed" THEN released ELSE Look(a, t) : a \in {released}}}})

ClaimOf(s, entry) == IF entry[2] = "flight" THEN s.tabs[entry[1]].flight ELSE s.tabs[entry[1]].revocation
IsReady(s, entry) == s.tabs[entry[1]].life = "awake" /\ ClaimOf(s, entry).phase = "waiting"
IsFirst(s, entry) == IsReady(s, entry) /\ (~Locks \/ ClaimOf(s, entry).hold = "robbed")
HasLock(s, entry) == s.lock # <<>> /\ Head(s.lock) = entry /\ IsReady(s, entry)
Entry == {<<t, claim>> : t \in Tab, claim \in {"flight", "revocation"}}

Acquire(s, entry) ==
  LET t == entry[1]
  IN IF entry[2] = "revocation" THEN [s EXCEPT !.tabs[t].revocation.phase = "renewing"]
     ELSE IF s.store # s.tabs[t].flight.pair THEN The({Finish(a, t, "taken over", 0) : a \in {Look(s, t)}})
     ELSE [Look(s, t) EXCEPT !.tabs[t].flight.phase = "asked"]

(* Tabs whose wait is over go on: a robbed one, then the one that has the lock. *)
Settle1(s) ==
  IF \E e \in Entry : IsFirst(s, e) THEN Acquire(s, CHOOSE e \in Entry : IsFirst(s, e))
  ELSE IF \E e \in Entry : HasLock(s, e) THEN Acquire(s, CHOOSE e \in Entry : HasLock(s, e))
  ELSE s
RECURSIVE Settle(_)
Settle(s) == IF \E e \in Entry : IsFirst(s, e) \/ HasLock(s, e)
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
         joining == [pair |-> pair, phase |-> "joining", access |-> 0, hold |-> "alone"]
     IN \E a \in {Look(w, t)} :
        \E b \in {IF pair = 0 THEN a ELSE Clear(a, SessionOf(pair))} :
        \E s \in {IF pair = 0 THEN b
                  ELSE IF joins THEN [b EXCEPT !.tabs[t].revocation = joining]
                  ELSE IF IsStale(w, pair) THEN Renew(b, t, pair)
                  ELSE [b EXCEPT !.tabs[t].revocation = Deleting(pair, pair)]} : w' = Settle(s)

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
  /\ \E s \in {[Release(w, <<t, "flight">>) EXCEPT !.faults = w.faults - 1,
             !.tabs[t].flight = [pair |-> Flight(t).pair, phase |-> "pausing", answer |-> 0, hold |-> "alone"]]} : w' = Settle(s)

AskAgain(t) ==
  /\ Awake(t) /\ Flight(t).phase = "pausing"
  /\ \E s \in {[w EXCEPT !.tabs[t].flight.phase = "waiting", 
                      !.lock = IF Locks THEN Append(w.lock, <<t, "flight">>) ELSE w.lock]} : w' = Settle(s)

(* The lock goes to this entry, from a tab that is stuck. *)
MayRob(entry) ==
  IF Len(w.lock) < 2 THEN FALSE
  ELSE LET h == Head(w.lock)
       IN h # entry /\ w.tabs[h[1]].life = "stuck" /\ \E i \in 1..Len(w.lock) : w.lock[i] = entry
Rob(s, entry) ==
  LET h == Head(s.lock)
      a == IF h[2] = "flight" THEN [s EXCEPT !.tabs[h[1]].flight.hold = "robbed"]
           ELSE [s EXCEPT !.tabs[h[1]].revocation.hold = "robbed"]
  IN [a EXCEPT !.lock = <<entry>> \o SelectSeq(Tail(s.lock), LAMBDA u : u # entry)]

TakeLock(t) ==
  /\ Awake(t) /\ Flight(t).phase = "waiting" /\ MayRob(<<t, "flight">>)
  /\ \E a \in {Look(w, t)} :
     \E s \in {IF w.store # Flight(t).pair THEN Finish(a, t, "taken over", 0)
               ELSE [Rob(a, <<t, "flight">>) EXCEPT !.tabs[t].flight.hold = "thief"]} : w' = Settle(s)

TakeLockToEnd(t) ==
  /\ Awake(t) /\ Revocation(t).phase = "waiting" /\ MayRob(<<t, "revocation">>)
  /\ \E s \in {[Rob(w, <<t, "revocation">>) EXCEPT !.tabs[t].revocation.hold = "thief"]} : w' = Settle(s)

WriteAnswered(t) == Awake(t) /\ w.tabs[t].write.phase = "sent" /\ w' = [w EXCEPT !.tabs[t].write = NoWrite]
WriteMustWait(t) == Awake(t) /\ w.tabs[t].write.phase = "sent" /\ w' = [w EXCEPT !.tabs[t].write.phase = "pausing"]
WriteAgain(t) == Awake(t) /\ w.tabs[t].write.phase = "pausing" /\ IsFree(t) /\ \E s \in {DoWrite(w, t)} : w' = Settle(s)

RevocationAnswered(t) ==
  /\ Awake(t) /\ IsEnding(t)
  /\ LET r == Revocation(t)
         g == Grant(w, r.pair)
     IN \E s \in {
          IF r.phase = "renewing"
            THEN [Release(g[2], <<t, "revocation">>) EXCEPT !.tabs[t].revocation =
                    IF g[1] = 0 THEN NoRevocation ELSE Deleting(r.pair, g[1])]
          ELSE IF IsStale(w, r.access) THEN Renew(w, t, r.pair)
          ELSE [w EXCEPT !.sessions[SessionOf(r.pair)].isAlive = FALSE, !.tabs[t].revocation = NoRevocation]} : w' = Settle(s)

RevocationFails(t) ==
  /\ Awake(t) /\ w.faults > 0 /\ IsEnding(t)
  /\ \E s \in {[Release(w, <<t, "revocation">>) EXCEPT !.faults = w.faults - 1, !.tabs[t].revocation = NoRevocation]} :
       w' = Settle(s)

Stick(t) == Awake(t) /\ w.faults > 0 /\ w' = [w EXCEPT !.faults = w.faults - 1, !.tabs[t].life = "stuck"]

Wake(t) ==
  /\ w.tabs[t].life = "stuck"
  /\ LET a == [w EXCEPT !.tabs[t].life = "awake", !.tabs[t].isTold = FALSE]
     IN \E s \in {IF w.tabs[t].isTold THEN Look(a, t) ELSE a} : w' = Settle(s)

Close(t) ==
  /\ w.tabs[t].life # "closed" /\ w.faults > 0
  /\ \E s \in {[Release(Release(w, <<t, "flight">>), <<t, "revocation">>) EXCEPT !.faults = w.faults - 1,
             !.tabs[t] = [Fresh EXCEPT !.life = "closed"]]} : w' = Settle(s)

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
       \/ RefreshDown(t) \/ RefreshArrives(t) \/ RefreshAnswered(t) \/ AnswerLost(t) \/ AskAgain(t)
       \/ TakeLock(t) \/ TakeLockToEnd(t)
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
InFlight(e) == ClaimOf(w, e).phase \in {"asked", "answered", "renewing"} /\ ClaimOf(w, e).hold # "robbed"
OneRefresh == Locks => \A d, e \in Entry : InFlight(d) /\ InFlight(e) => d = e
LockIsUsed ==
  IF w.lock = <<>> THEN TRUE
  ELSE LET h == Head(w.lock) IN w.tabs[h[1]].life # "closed" /\ (~Awake(h[1]) \/ InFlight(h))
Quiet ==
  \A t \in Tab :
    /\ w.tabs[t].life # "stuck"
    /\ Flight(t).phase = "none"
    /\ w.tabs[t].write.phase = "none"
    /\ Revocation(t).phase = "none"
EndsOnThePlatform ==
  IF Quiet /\ w.faults = Faults THEN \A i \in 1..Len(w.sessions) : ~(w.sessions[i].isOver /\ w.sessions[i].isAlive)
  ELSE TRUE
NoOtherPerson ==
  \A t \in Tab : IF w.tabs[t].write.carries = 0 THEN TRUE
    ELSE w.sessions[w.tabs[t].write.carries].person = w.sessions[w.tabs[t].write.owner].person
=============================================================================
