import type { LabelEditor } from '@agent/platforms';
import type { ActiveRun, TaskLabels } from './run-parts.ts';

export type TaskState = keyof TaskLabels;

export interface MoveLabelOptions {
  readonly labels: TaskLabels;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Brings our labels to one state: adds its label first, then takes our other ones away, so that a crash in
 * between leaves two labels and never none. Other people's labels are not touched (RL-1).
 */
export async function moveLabel(
  editor: LabelEditor | null,
  to: { readonly state: TaskState; readonly present: readonly string[] },
  { labels, signal }: MoveLabelOptions,
): Promise<void> {
  if (editor === null) return;
  const wanted = labels[to.state];
  const present = new Set(to.present.map((name) => name.toLowerCase()));
  if (!present.has(wanted.toLowerCase())) await editor.addLabel(wanted, { signal });
  for (const name of Object.values(labels)) {
    if (name !== wanted && present.has(name.toLowerCase())) await editor.removeLabel(name, { signal });
  }
}

/** The same for a run whose labels are not at hand: reads them first. */
export async function moveLabelTo(run: ActiveRun, state: TaskState): Promise<void> {
  const { labels } = await run.thread.reader.readThread();
  await moveLabel(run.thread.labels, { state, present: labels }, { labels: run.platform.labels });
}
