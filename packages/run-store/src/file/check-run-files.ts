import { parseJson } from '@agent/text/json';
import { ContextStoreError } from '../context-store-error.ts';
import { listEntries, readFileIfThere } from '../disk/files.ts';
import { createRecordReading } from '../journal/record-reading.ts';
import type { MessageLike } from '../journal-model.ts';
import { isStateName, parseStateText } from '../lines/state-name.ts';
import type { JournalFiles } from '../places.ts';
import { lostBeginning } from '../record/read-record.ts';
import { requireFactsOf, toRecordSource } from '../record/run-record.ts';
import type { RunPlace } from '../run-model.ts';
import { listDocuments } from './files-beside.ts';

/**
 * Verifies the files of a run: its record from the first line to the last, the files that repeat what it says, and the values of its state.
 * Those files lag behind the record of a run at work, so that they are compared for others only.
 */
export async function listRunFaults(files: JournalFiles, place: RunPlace): Promise<readonly string[]> {
  const { messages, directory } = files;
  if (await lostBeginning(messages))
    return [`The first line of "${messages}" is missing or damaged. ${restore}`];
  const reading = createRecordReading({ parseMessage: (json) => json as MessageLike });
  try {
    const broken = await reading.readOn(toRecordSource(files));
    if (broken !== null)
      return [
        `Line ${broken.line} of "${messages}" ${broken.fault}. Put the file back from a copy, or move the run's directory away.`,
      ];
    reading.listEntries();
    requireFactsOf(directory, reading.facts);
  } catch (error) {
    if (!ContextStoreError.isInstance(error) && !isParseError(error)) throw error;
    return [
      ContextStoreError.isInstance(error)
        ? error.message
        : `"${messages}" has a line that is not valid. ${restore}`,
    ];
  }
  const stated = await listStateFaults(directory);
  if (place === 'running') return stated;
  const { tools, summaries, planning } = reading.project();
  const repeated = new Map<string, string | null>([
    [files.tools, tools],
    [files.summaries, summaries],
    [files.planning, planning],
    ...listDocuments(files, reading.facts),
  ]);
  const other = await Promise.all(
    [...repeated].map(async ([path, text]) =>
      ((await readFileIfThere(path)) ?? '') === (text ?? '') ? [] : [path],
    ),
  );
  const faults = other.flat().map((path) => `"${path}" does not say what "${messages}" says. ${restore}`);
  return [...faults, ...(await listContextFaults(files.current)), ...stated];
}

const restore = "Restore the run's directory from a copy.";

/** zod throws these for a fact that does not say what it must. */
function isParseError(error: unknown): boolean {
  return (
    error instanceof Error &&
    (error.name === 'ZodError' || error.name === '$ZodError' || error instanceof SyntaxError)
  );
}

/** The context after a summary is the caller's: its lines are JSON, and more is not known of them. */
async function listContextFaults(path: string): Promise<readonly string[]> {
  const lines = ((await readFileIfThere(path)) ?? '').split('\n').filter((line) => line !== '');
  const isRead = lines.every((line) => parseJson(line) !== undefined);
  return isRead ? [] : [`"${path}" has a line that is not JSON. ${restore}`];
}

async function listStateFaults(directory: string): Promise<readonly string[]> {
  const names = (await listEntries(directory, { recursive: true })).filter(isStateName);
  const faults = names.map(async (name) => {
    const path = `${directory}/${name}`;
    const text = await readFileIfThere(path).catch(() => null);
    const isRead = text === null || parseStateText(name, text) !== undefined;
    return isRead ? [] : [`"${path}" is not the JSON that was written there. ${restore}`];
  });
  return (await Promise.all(faults)).flat();
}
