import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TaskReference } from '@agent/platforms';
import { hashTaskKey } from '@agent/run-store';
import { createFileRunLines } from '@agent/run-store/file';
import type { InheritedDecision, KeyDecision } from '../src/decisions/decision.ts';
import { createPreviousRunReader } from '../src/load-previous-contexts.ts';
import type { ActionRecord, InheritanceContext, PlanRecord, PreviousRun } from '../src/model.ts';

export const thread = { taskKeyText: 'github_issue:octo:cat:42', host: 'github.com' };

/** `a1` becomes `a1a1a1a1-…`: a name that a reader of a test knows again. */
export function toUuid(mark: string): string {
  const eight = mark.repeat(8).slice(0, 8);
  return `${eight}-0000-4000-8000-000000000000`;
}

export function makeRun(mark: string, changes: Partial<PreviousRun> = {}): PreviousRun {
  return {
    uuid: toUuid(mark),
    taskKeyHash: hashTaskKey(thread.taskKeyText),
    host: thread.host,
    status: 'completed',
    createdAt: '2026-11-01T09:00:00Z',
    completedAt: '2026-11-01T10:00:00Z',
    inheritanceDepth: 0,
    inheritanceBarrierAt: null,
    user: 'mona',
    hostname: 'builder-7',
    llmProvider: 'openai',
    model: 'local-model',
    ...changes,
  };
}

/** What lies in a run's directory; a text is written as it is. */
export interface RunFiles {
  readonly summaries?: readonly (object | string)[];
  readonly planning?: readonly (object | string)[];
  readonly tools?: readonly (object | string)[];
}

/** A base directory whose runs are real files, and the list that an index would give. */
export async function makeHistory() {
  const base = await mkdtemp(join(tmpdir(), 'inheritance-'));
  const runs: PreviousRun[] = [];
  const asked: TaskReference[] = [];
  await mkdir(join(base, 'completed'));
  const listRuns = async (task: TaskReference) => {
    asked.push(task);
    return runs.filter(({ taskKeyHash, host }) => taskKeyHash === task.taskKeyHash && host === task.host);
  };
  return {
    base,
    runs,
    asked,
    reader: createPreviousRunReader({ lines: createFileRunLines({ baseDirectory: base }), listRuns }),
    addRun: async (run: PreviousRun, files: RunFiles) => {
      runs.push(run);
      const directory = join(base, 'completed', run.uuid);
      await mkdir(join(directory, 'planning'), { recursive: true });
      await writeLines(join(directory, 'summaries.jsonl'), files.summaries);
      await writeLines(join(directory, 'tools.jsonl'), files.tools);
      await writeLines(join(directory, 'planning', `${run.uuid}.jsonl`), files.planning);
      return directory;
    },
    remove: () => rm(base, { recursive: true, force: true }),
  };
}

async function writeLines(path: string, lines: readonly (object | string)[] | undefined): Promise<void> {
  if (lines === undefined) return;
  const text = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
  await writeFile(path, text.join(''));
}

/** A summary's line as a run writes it at its end. */
export function summaryLine(summary: string, decisions?: readonly object[]): object {
  const line = { id: 1, start_seq: 1, end_seq: 9, summary, timestamp: '2026-11-01T10:00:00Z' };
  return decisions === undefined ? line : { ...line, key_decisions: decisions };
}

export function makePlan(changes: Partial<PlanRecord> = {}): PlanRecord {
  return {
    runUuid: toUuid('a1'),
    status: 'completed',
    completedAt: '2026-11-01T10:00:00Z',
    plan: {
      goal: 'Sort the list stably',
      successCriteria: ['Equal items keep their order'],
      subtasks: [
        { id: 'task_1', description: 'Read the code', dependencies: [], complexity: 'low' },
        { id: 'task_2', description: 'Mend it', dependencies: ['task_1'], complexity: 'medium' },
      ],
      actionCount: 4,
      executedCount: 3,
      requestSha256: 'same',
      revisionReasons: ['The tests were missing'],
      replanReasons: [],
    },
    execution: {
      succeeded: 2,
      failed: 1,
      actions: [
        makeAction({ taskId: 'task_1', tool: 'edit_file', purpose: 'mend the sort' }),
        makeAction({ taskId: 'task_2', state: 'failed', problem: 'no permission' }),
      ],
    },
    verification: {
      ...{ rounds: 2, passed: false, confidence: 0.6 },
      ...{ issues: ['TODO left', 'No test'], resolved: ['TODO left'] },
      ...{ placeholders: ['sort.ts:12'], additionalWork: ['Write a test'] },
    },
    learnings: ['The build needs Node 24'],
    ...changes,
  };
}

export function makeAction(changes: Partial<ActionRecord>): ActionRecord {
  return {
    ...{ taskId: 'task_1', tool: 'edit_file', purpose: '', state: 'succeeded', attempts: 1 },
    ...{ problem: null, remedy: null },
    ...changes,
  };
}

export function makeContext(changes: Partial<InheritanceContext> = {}): InheritanceContext {
  const previousContexts = [
    makePrevious('a1', '並べ替えを安定にした。'),
    makePrevious('b2', '課題を調べた。', '2026-10-20T10:00:00Z'),
  ];
  return {
    previousContexts,
    combinedSummary: '並べ替えを安定にした。',
    keyDecisions: [
      inheritDecision({
        text: 'ページは1から始める',
        source: { kind: 'comment', commentId: '7', sha256: null },
        isTrusted: true,
      }),
    ],
    retractedDecisions: [],
    conflicts: [],
    lastActionResults: [{ tool: 'edit_file', status: 'success', failure: null }],
    toolUses: [{ tool: 'edit_file', calls: 1, failures: [] }],
    isToolHistoryCut: false,
    plans: [],
    verification: changes.plans?.[0]?.verification ?? null,
    processingCount: 2,
    inheritedFromUuid: toUuid('a1'),
    inheritanceDepth: 1,
    ...changes,
  };
}

export function makePrevious(mark: string, summary: string, completedAt = '2026-11-01T10:00:00Z') {
  return {
    uuid: toUuid(mark),
    taskKeyText: thread.taskKeyText,
    status: 'completed' as const,
    completedAt,
    inheritanceDepth: 0,
    summary,
    keyDecisions: [],
    metadata: { llmProvider: 'openai', model: 'local-model' },
  };
}

/** A decision of the agent, unless told otherwise. */
export function makeDecision(changes: Partial<KeyDecision> = {}): KeyDecision {
  return {
    ...{ id: 'a1a1a1a1-1', text: 'Pages begin at 1', subject: null, source: { kind: 'agent' } },
    ...{ isTrusted: false, replaces: [], evidence: null, origin: null },
    ...changes,
  };
}

export function inheritDecision(changes: Partial<InheritedDecision> = {}): InheritedDecision {
  return {
    ...{
      ...makeDecision(),
      runUuid: toUuid('a1'),
      decidedAt: '2026-11-01T10:00:00Z',
      state: { kind: 'open' },
    },
    ...changes,
  };
}
