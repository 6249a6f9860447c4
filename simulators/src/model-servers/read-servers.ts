import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { assumedAnswers } from './assumed-answers.ts';
import { type ModelServerRows, type RowKind, rowKinds, type ServerRow } from './server-row.ts';

/** Reads all servers, in the order of their names. Kinds without a known answer get one that is assumed. */
export function readServers(): readonly ModelServerRows[] {
  const directory = new URL('servers/', import.meta.url);
  const files = readdirSync(fileURLToPath(directory)).filter((file) => file.endsWith('.json'));
  return files
    .map((file) => {
      const server = JSON.parse(readFileSync(new URL(file, directory), 'utf8')) as Omit<
        ModelServerRows,
        'id'
      >;
      return {
        ...server,
        id: file.replace('.json', ''),
        rows: rowKinds.map((kind) => findRow(server.rows, kind)),
      };
    })
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en'));
}

function findRow(rows: readonly ServerRow[], kind: RowKind): ServerRow {
  const assumed = { kind, source: null, date: null, ...assumedAnswers[kind] };
  return rows.find((row) => row.kind === kind) ?? assumed;
}
