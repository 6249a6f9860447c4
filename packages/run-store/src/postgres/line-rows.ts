import { type LineBounds, takeLast } from '../disk/lines.ts';
import { kindOf, type LineKind, type RunLines } from '../file/run-reader.ts';
import { toPlanningLine } from '../planning/planning-line.ts';
import { parseFact } from '../record/read-record.ts';
import { sliceProjectedLine } from '../record/record-line.ts';
import { listLastFacts, readRowFacts } from './record-rows.ts';
import type { Schema } from './schema.ts';

/** Reads lines of runs that ended. */
export function createPostgresRunLines(schema: Schema): RunLines {
  const { database, at } = schema;

  async function readKind(uuid: string, { kind, ...bounds }: LineBounds & { readonly kind: LineKind }) {
    const facts = [...kindOf.keys()].filter((name) => kindOf.get(name) === kind);
    const lines = await listLastFacts(schema, { uuid, facts, limit: bounds.limit });
    const read = kind === 'planning' ? await openPlanningLines(schema, uuid) : sliceProjectedLine;
    return takeLast(
      lines.map((line) => read(line).trimEnd()),
      bounds,
    );
  }

  return {
    readLast: async <Kind extends LineKind>(uuid: string, wanted: Readonly<Record<Kind, LineBounds>>) => {
      const text = `SELECT FROM ${at}.runs WHERE uuid::text = $1 AND place <> 'paused'`;
      if ((await database.query(text, [uuid])).length === 0) return null;
      const kinds = Object.keys(wanted) as Kind[];
      const read = kinds.map(async (kind) => [kind, await readKind(uuid, { kind, ...wanted[kind] })]);
      return Object.fromEntries(await Promise.all(read));
    },
  };
}

async function openPlanningLines(schema: Schema, uuid: string): Promise<(text: string) => string> {
  const { metadata } = await readRowFacts(schema, uuid);
  return (text) => toPlanningLine(parseFact(text), metadata) ?? '{}';
}
