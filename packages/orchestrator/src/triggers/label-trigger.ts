import type { LabelEditor, Platform } from '@agent/platforms';
import { createLabelTexts } from './label-texts.ts';
import { isAskedAgain, type NextState, type TaskState, type TaskTrigger } from './task-trigger.ts';

/** Names of the labels that show the state of a task (RL-1). */
export interface TaskLabels extends Readonly<Record<Exclude<TaskState, 'partial'>, string>> {
  /** Label of a task that is partly done. Default: that of a completed one. */
  readonly partial?: string | undefined;
}

/**
 * Creates the trigger for threads that people give to the agent by a label, and that show their state by others.
 *
 * @example
 * const labels = { waiting: 'agent', processing: 'agent works', completed: 'agent done' };
 * createLabelTrigger(platform, { ...labels, failed: 'agent failed', paused: 'agent paused', stopped: 'agent stopped' });
 */
export function createLabelTrigger(platform: Pick<Platform, 'tasks'>, labels: TaskLabels): TaskTrigger {
  return {
    listsPaused: false,
    tellsStrangers: true,
    listWaiting: ({ signal } = {}) =>
      platform.tasks.listTasks({ label: labels.waiting, assignee: null, state: 'open', signal }),
    // Where we cannot change labels, they do not say whether a thread waits: what the finder lists is what waits.
    claim: async ({ ports, thread }) =>
      ports.labels === null || carries(thread, [labels.waiting]) ? 'ours' : 'theirs',
    setState: async ({ reader, labels: editor, labelEvents }, next) => {
      const { signal, answers } = next;
      const thread = next.thread ?? (await reader.readThread({ signal }));
      const mayBeNew = answers !== undefined && labelEvents !== null && carries(thread, [labels.waiting]);
      const event = mayBeNew ? await labelEvents.lastLabeled(labels.waiting, { signal }) : null;
      const isAsked = mayBeNew && isAskedAgain(event, answers);
      await moveLabel(editor, { ...next, present: thread.labels, isAsked }, labels);
    },
    release: async ({ labels: editor }, options) => editor?.removeLabel(labels.waiting, options),
    signs: {
      listHandovers: async (ports, options) => {
        if (ports.labels === null || ports.labelEvents === null) return 'unknown';
        const event = await ports.labelEvents.lastLabeled(labels.waiting, options);
        return event === null ? [] : [{ ...event, commentId: null }];
      },
      shows: async ({ thread }, states) =>
        carries(
          thread,
          states.map((state) => labelOf(state, labels)),
        ),
      workLabel: labels.processing,
      labels: { ...labels, partial: labelOf('partial', labels) },
      showsWork: (thread, states = ['processing']) =>
        carries(
          thread,
          states.map((state) => labelOf(state, labels)),
        ),
      canReturn: (ports) => ports.labels !== null,
    },
    texts: createLabelTexts(labels.waiting),
  };
}

function labelOf(state: TaskState, labels: TaskLabels): string {
  return state === 'partial' ? (labels.partial ?? labels.completed) : labels[state];
}

/** Tells whether a thread has one of these labels. */
function carries(thread: { readonly labels: readonly string[] }, names: readonly string[]): boolean {
  const wanted = names.map((name) => name.toLowerCase());
  return thread.labels.some((name) => wanted.includes(name.toLowerCase()));
}

/** States in which a run is still to go on. */
const liveStates: readonly TaskState[] = ['processing', 'paused'];

interface LabelMove extends NextState {
  readonly present: readonly string[];
  /** True where the waiting label is somebody's request for another run. */
  readonly isAsked: boolean;
}

/**
 * Brings our labels to one state: adds its label first, then takes our other ones away, so that a crash in
 * between leaves two labels and never none. Other people's labels are not touched (RL-1), nor a request for another run: a thread
 * whose run has ended then waits for that one.
 */
async function moveLabel(
  editor: LabelEditor | null,
  { state, signal, present: names, isAsked }: LabelMove,
  labels: TaskLabels,
): Promise<void> {
  if (editor === null) return;
  const isShown = !isAsked || liveStates.includes(state);
  const wanted = [...(isShown ? [labelOf(state, labels)] : []), ...(isAsked ? [labels.waiting] : [])];
  const present = new Set(names.map((name) => name.toLowerCase()));
  for (const name of wanted) if (!present.has(name.toLowerCase())) await editor.addLabel(name, { signal });
  for (const name of Object.values(labels)) {
    if (!wanted.includes(name) && present.has(name.toLowerCase())) await editor.removeLabel(name, { signal });
  }
}
