import type { Json } from '@agent/run-store';
import type { PersonRun, StoredPerson } from './stored-person.ts';

/** Version of the exported document. */
const exportVersion = 1;

/** Formats everything stored of a person as JSON, for the person: texts of others are left out but for the lines that name or quote the person. */
export function toPersonJson(
  { runs, damaged, notes, spending, controls, hasPausedAll }: StoredPerson,
  {
    login,
    at,
    storage,
  }: { readonly login: string /** ISO 8601. */; readonly at: string; readonly storage: string },
): Json {
  return {
    version: exportVersion,
    login,
    exported_at: at,
    storage,
    runs: runs.map(toRunJson),
    unreadable_runs: damaged.map(({ name, reason }) => ({ name, reason })),
    audit_log: listTraces(notes.filter(({ name }) => name.startsWith('audit/'))),
    notes: listTraces(notes.filter(({ name }) => !name.startsWith('audit/'))),
    spending: spending.map(({ name, spentMicros }) => ({ account: name, spent_micros: spentMicros })),
    pending_requests: controls.map(({ uuid, verb, name }) => ({ run: uuid, task: name, verb })),
    has_paused_everything: hasPausedAll,
  };
}

function toRunJson({ uuid, name, host, place, person, traces }: PersonRun): Json {
  const where = (kind: string) => traces.filter((trace) => trace.kind === kind).map(toPlacedJson);
  return {
    run: uuid,
    task: name,
    host,
    state: place === 'completed' ? 'ended' : place,
    logins: person.logins,
    account_ids: person.ids,
    accounts: where('account'),
    texts: where('text'),
    mentions: where('mention'),
  };
}

function toPlacedJson({ kind: _, ...trace }: PersonRun['traces'][number]): Json {
  return trace;
}

function listTraces(notes: StoredPerson['notes']): Json {
  return notes.flatMap(({ name, traces }) =>
    traces.map(({ kind, path, value }) => ({ note: name, kind, path, value })),
  );
}
