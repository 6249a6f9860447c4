import type { ForgeThread } from '../support/forge.ts';

const pausedText = /タスクを一時停止しました。|The task is paused and will be resumed later\./;
const resumedText =
  /一時停止されたタスクを再開します(?:（Planning実行中）)?。|Resuming the paused task(?: \(planning in progress\))?\./;

/** Whether a comment only says that a run was paused or goes on. */
export function isPauseTalk(body: string): boolean {
  return pausedText.test(body) || resumedText.test(body);
}

/**
 * What is wrong with what a thread says of pauses: each is told once, by which time its run was paused, and nobody says
 * that a run goes on that was not paused before.
 */
export function findBrokenPauseTalk(
  { reference, comments }: ForgeThread,
  { pauses }: { readonly pauses: number },
): string[] {
  const talk = comments.filter(({ body }) => isPauseTalk(body));
  const paused = talk.filter(({ body }) => pausedText.test(body)).length;
  const problems: string[] = [];
  if (paused > pauses) problems.push(`${reference} was paused ${pauses} times and says so ${paused} times`);
  if (talk.length > paused * 2) problems.push(`${reference} says too often that it goes on`);
  if (talk[0] !== undefined && !pausedText.test(talk[0].body))
    problems.push(`${reference} goes on before it was paused`);
  if (talk.length > 0 && comments.at(-1) === talk.at(-1))
    problems.push(`${reference} ends with talk of a pause`);
  return problems;
}
