import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from '../workspace/root.ts';
import type { StageResult } from './run-release-stage.ts';

/** Last run of all stages. */
export interface LastRelease {
  /** `2026-11-28` */
  readonly date: string;
  readonly commit: string;
  readonly stages: readonly StageResult[];
}

const file = join(repositoryRoot, 'docs', 'contributing', 'last-release-test.json');

export async function writeLastRelease(last: LastRelease): Promise<void> {
  await writeFile(file, `${JSON.stringify(last, null, 2)}\n`);
}

/** Reads it; null before the first run. */
export function readLastRelease(): LastRelease | null {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as LastRelease) : null;
}

/** One line on it: `last test:release: 2026-11-28 at 1a2b3c4, 8 stages, all passed`. */
export function formatLastRelease(last: LastRelease | null): string {
  if (last === null) return 'last test:release: none yet';
  const { date, commit, stages } = last;
  const listOf = (result: StageResult['result']): readonly string[] => {
    const names = stages.filter((stage) => stage.result === result).map(({ name }) => name);
    return names.length === 0 ? [] : [`${names.length} ${result} (${names.join(', ')})`];
  };
  const others = [...listOf('failed'), ...listOf('not shown')];
  return `last test:release: ${date} at ${commit}, ${stages.length} stages, ${others.join(', ') || 'all passed'}`;
}
