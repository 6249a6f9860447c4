import {
  createAssignmentTrigger,
  createLabelTrigger,
  createMentionFile,
  createMentionTrigger,
  type TaskLabels,
  type TaskTrigger,
} from '@agent/orchestrator';
import type { Platform } from '@agent/platforms';
import type { MentionSettings } from './platform-entry.ts';
import type { BuiltInSection, PlatformLabels } from './section.ts';

/** The configured names of our labels, by the state that each stands for. */
export function toTaskLabels(config: PlatformLabels): TaskLabels {
  return {
    waiting: config.bot_label,
    processing: config.processing_label,
    completed: config.done_label,
    failed: config.failed_label,
    paused: config.paused_label,
    stopped: config.stopped_label,
  };
}

/** Creates the trigger that a section of the configuration names, for these repositories or projects. */
export function toTrigger(
  platform: Platform,
  section: BuiltInSection,
  { places, mentions }: { readonly places: readonly string[]; readonly mentions: MentionSettings },
): TaskTrigger {
  const { directory, runsHear } = mentions;
  const create: Record<BuiltInSection['trigger'], () => TaskTrigger> = {
    label: () => createLabelTrigger(platform, toTaskLabels(section)),
    assignment: () => createAssignmentTrigger(platform),
    mention: () =>
      createMentionTrigger(platform, { store: createMentionFile(directory, platform), places, runsHear }),
  };
  return create[section.trigger]();
}
