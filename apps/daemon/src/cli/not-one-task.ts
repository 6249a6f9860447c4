import type { TaskSummary } from '@agent/orchestrator';
import { cleanLine } from '../text/terminal-text.ts';
import { CommandError } from './command-io.ts';
import type { CliTexts } from './texts.en.ts';

const shownCandidates = 10;

/** An error that names the tasks which a user may mean: those that have not ended, else all. */
export function notOne(
  message: string,
  { runs, texts }: { readonly runs: readonly TaskSummary[]; readonly texts: CliTexts },
): CommandError {
  const live = runs.filter(({ state }) => state !== 'ended');
  const shown = (live.length > 0 ? live : runs).slice(0, shownCandidates);
  if (shown.length === 0) return new CommandError(`${message} ${texts.noCandidates}`);
  const lines = shown.map(
    ({ name, uuid, title, state, status }) =>
      `  ${(uuid ?? '').slice(0, 8).padEnd(8)}  ${cleanLine(name)}  ${texts.states[status ?? state] ?? state}  ${cleanLine(title ?? '')}`,
  );
  return new CommandError([`${message} ${texts.candidates}`, ...lines].join('\n'));
}
