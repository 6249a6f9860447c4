import { toStateValue } from '../lines/state-name.ts';
import type {
  FinalSummaries,
  OpenRun,
  Outbox,
  RecordOwner,
  RunJournal,
  RunState,
  WholeRunStore,
} from '../ports.ts';

type Guard = RecordOwner['guard'];

/** Lets a store write, move and remove only while its owner owns the directory. What only reads stays as it is. */
export function guardStore<Message>(store: WholeRunStore<Message>, guard: Guard): WholeRunStore<Message> {
  const guarded = through(guard);
  return {
    open: async (...given) => guardRun(await guard(() => store.open(...given)), guard),
    restore: async (uuid) => guardRun(await guard(() => store.restore(uuid)), guard),
    resume: async (uuid) => {
      const run = await guard(() => store.resume(uuid));
      return { ...guardRun(run, guard), pause: run.pause };
    },
    listInterrupted: guarded(store.listInterrupted),
    finish: guarded(store.finish),
    commitPause: guarded(store.commitPause),
    pause: guarded(store.pause),
    listPaused: store.listPaused,
    openState: (uuid) => guardState(store.openState(uuid), guard),
    index: guarded(store.index),
    openOutbox: (uuid) => guardOutbox(store.openOutbox(uuid), guard),
    openEnded: async (uuid) => {
      const ended = await store.openEnded(uuid);
      return { ...ended, finalSummary: guardSummaries(ended.finalSummary, guard) };
    },
  };
}

function guardRun<Message>(run: OpenRun<Message>, guard: Guard): OpenRun<Message> {
  return {
    ...run,
    journal: guardJournal(run.journal, guard),
    state: guardState(run.state, guard),
    outbox: guardOutbox(run.outbox, guard),
    finalSummary: guardSummaries(run.finalSummary, guard),
    leave: through(guard)(run.leave),
  };
}

function guardJournal<Message>(journal: RunJournal<Message>, guard: Guard): RunJournal<Message> {
  const guarded = through(guard);
  return {
    append: guarded(journal.append),
    read: journal.read,
    replaceContext: guarded(journal.replaceContext),
    finish: guarded(journal.finish),
  };
}

function guardOutbox({ open, settle, list }: Outbox, guard: Guard): Outbox {
  return { open: through(guard)(open), settle: through(guard)(settle), list };
}

function guardState({ read, write }: RunState, guard: Guard): RunState {
  return {
    read,
    write: async (name, value, options) => {
      // As it is now: the caller may change it while the lock is waited for.
      const kept = toStateValue(name, value);
      return guard(() => write(name, kept, options));
    },
  };
}

function guardSummaries({ read, append }: FinalSummaries, guard: Guard): FinalSummaries {
  return { read, append: through(guard)(append) };
}

function through(guard: Guard) {
  return <Given extends readonly unknown[], Result>(write: (...given: Given) => Promise<Result>) => {
    return (...given: Given): Promise<Result> => guard(() => write(...given));
  };
}
