import type { PlatformLabels } from '../config/platform-schema.ts';

/** The labels that a platform's configuration names, in the order of a task's life. */
export function listOwnLabels(labels: PlatformLabels): readonly string[] {
  return [
    labels.bot_label,
    labels.processing_label,
    labels.done_label,
    labels.failed_label,
    labels.paused_label,
    labels.stopped_label,
  ];
}
