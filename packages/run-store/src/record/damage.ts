import { createReadStream, createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseJson } from '@agent/text/json';
import { z } from 'zod';
import { isThere, privateFile, syncDirectory, withFile } from '../disk/files.ts';
import { readTextLines } from '../disk/lines.ts';
import { type FactEntry, isCallersFact, type Json } from '../journal-model.ts';
import { formatFact, sealLine } from '../lines/record-line.ts';
import type { RecordDamage } from '../ports.ts';
import type { BrokenLine } from './read-record.ts';

/** Name of the fact that says where a record was cut. */
export const damageFact = 'damage';

/** The writer that repairs a record. */
export interface RepairOptions {
  /** Number of the owner that writes; null where the store has none. */
  readonly owner: number | null;
  /** ISO 8601, UTC. */
  readonly timestamp: string;
}

/** Cuts a record before its first broken line, and says so in the line that takes its place. */
export async function cutRecord(broken: BrokenLine, { owner, timestamp }: RepairOptions): Promise<void> {
  const { path, offset, previous } = broken;
  const data = await keepCutLines(broken);
  const { bytes } = sealLine(formatFact({ name: damageFact, data, timestamp }), { previous, owner });
  await copyPart(path, { target: path, end: offset, more: bytes });
}

/**
 * Keeps what stands from the first broken line on beside the record. Makes the data of a fact about it: what can still be
 * read of it is the evidence of what may have happened.
 */
export async function keepCutLines(broken: BrokenLine): Promise<Json> {
  const { path, offset } = broken;
  const file = await findFreeName(dirname(path));
  await copyPart(path, { target: join(dirname(path), file), start: offset });
  return toCutDamage(broken, { file, texts: readTextLines(join(dirname(path), file)) });
}

interface CutLines {
  /** Place where they are kept from now on: a file beside the record, or words for people. */
  readonly file: string;
  readonly texts: AsyncIterable<string> | Iterable<string>;
}

/** Makes the data of a fact about lines that were cut off, which tell what may have happened. */
export async function toCutDamage(
  { line, fault }: Pick<BrokenLine, 'line' | 'fault'>,
  { file, texts }: CutLines,
): Promise<Json> {
  const evidence = await gatherEvidence(texts);
  return formatDamage({ line, reason: `Line ${line} ${fault}.`, file, evidence });
}

type Lost = Pick<RecordDamage['evidence'], 'tools' | 'ended'>;

/** Makes the data of a fact about lines that are gone, of which only other files of the run tell. */
export function toLostDamage(line: number, { tools, ended }: Lost): Json {
  const evidence = { messages: 0, tools, delivers: [], settled: [], ended, facts: [] };
  const reason = 'Lines at its end are missing: other files of the run refer to later lines.';
  return formatDamage({ line, reason, file: null, evidence });
}

interface CopiedPart {
  readonly target: string;
  readonly start?: number;
  /** Bytes from the beginning. */
  readonly end?: number;
  readonly more?: Buffer;
}

/** Whole or not at all: the copy is made aside, synced and renamed. */
async function copyPart(path: string, { target, start = 0, end, more }: CopiedPart): Promise<void> {
  const temporary = `${target}.tmp`;
  const last = end === undefined ? {} : { end: end - 1 };
  await withFile(temporary, 'w', async () => undefined);
  if (end !== 0) {
    await pipeline(
      createReadStream(path, { start, ...last }),
      createWriteStream(temporary, { mode: privateFile }),
    );
  }
  await withFile(temporary, 'a', async (copy) => {
    if (more !== undefined) await copy.appendFile(more);
    await copy.sync();
  });
  await rename(temporary, target);
  await syncDirectory(dirname(target));
}

async function findFreeName(directory: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const name = `messages.damaged-${number}.jsonl`;
    if (!(await isThere(join(directory, name)))) return name;
  }
}

const toolSchema = z.object({ tool: z.string(), tool_call_id: z.string().nullish() });
const deliverySchema = z.object({
  id: z.string(),
  revision: z.string(),
  kind: z.enum(['added', 'edited', 'deleted']),
  shown: z.literal('line').optional(),
});
const messageSchema = z.object({
  seq: z.number(),
  message: z.unknown(),
  delivers: z.array(deliverySchema).default([]),
});
const factSchema = z.object({ fact: z.string(), data: z.custom<Json>(), timestamp: z.string() });
const evidenceSchema = z.object({
  messages: z.number(),
  tools: z.array(toolSchema),
  delivers: z.array(deliverySchema),
  settled: z.array(z.string()),
  ended: z.string().nullable(),
  facts: z.array(factSchema),
});
const damageSchema = z.object({
  line: z.number(),
  reason: z.string(),
  file: z.string().nullable(),
  evidence: evidenceSchema,
});

type StoredEvidence = z.infer<typeof evidenceSchema>;

async function gatherEvidence(texts: CutLines['texts']): Promise<RecordDamage['evidence']> {
  const found: StoredEvidence = { messages: 0, tools: [], delivers: [], settled: [], ended: null, facts: [] };
  for await (const text of texts) addEvidence(found, parseJson(text));
  return toEvidence(found);
}

function addEvidence(found: StoredEvidence, value: unknown): void {
  const message = messageSchema.safeParse(value);
  if (message.success) {
    found.messages += 1;
    found.delivers.push(...message.data.delivers);
    return;
  }
  const { success, data: line } = factSchema.safeParse(value);
  if (!success) return;
  if (line.fact === 'tool-started') found.tools.push(...listParsed(toolSchema, line.data));
  if (line.fact === 'settled')
    found.settled.push(...listParsed(z.object({ id: z.string() }), line.data).map(({ id }) => id));
  if (line.fact === 'ended')
    found.ended = listParsed(endedSchema, line.data)[0]?.outcome.status ?? found.ended;
  if (isCallersFact({ name: line.fact })) found.facts.push(line);
}

const endedSchema = z.object({ outcome: z.object({ status: z.string() }) });

function listParsed<Value>(schema: z.ZodType<Value>, value: unknown): readonly Value[] {
  const parsed = schema.safeParse(value);
  return parsed.success ? [parsed.data] : [];
}

function toEvidence({ tools, facts, ...rest }: StoredEvidence): RecordDamage['evidence'] {
  return {
    ...rest,
    tools: tools.map(({ tool, tool_call_id: toolCallId }) => ({ tool, toolCallId: toolCallId ?? null })),
    facts: facts.map(({ fact, ...entry }): FactEntry => ({ type: 'fact', name: fact, ...entry })),
  };
}

function formatDamage({ evidence: { tools, facts, ...evidence }, ...damage }: RecordDamage): Json {
  return {
    ...damage,
    evidence: {
      ...evidence,
      tools: tools.map(({ tool, toolCallId }) => ({ tool, tool_call_id: toolCallId })),
      facts: facts.map(({ name, data, timestamp }) => ({ fact: name, data, timestamp })),
    },
  } as unknown as Json;
}

/** Reads what a fact says of damage. */
export function parseDamage(data: Json): RecordDamage {
  const { evidence, ...damage } = damageSchema.parse(data);
  return { ...damage, evidence: toEvidence(evidence) };
}
