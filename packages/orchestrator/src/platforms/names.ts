/** Platforms that come with the daemon, in the order in which they are connected; each has its line in `table.ts`. */
export const builtInNames = ['github', 'gitlab'] as const;

/** Name of a platform that comes with the daemon. */
export type BuiltInName = (typeof builtInNames)[number];

/** The ways in which people give threads to the agent; the first is the default. */
export const triggerNames = ['label', 'assignment', 'mention'] as const;

/** Name of a way in which people give threads to the agent. */
export type TriggerName = (typeof triggerNames)[number];

/** Finds the platform that a task key belongs to by its type or text, `github_issue…`; undefined for a custom one. */
export function findBuiltIn(keyType: string): BuiltInName | undefined {
  return builtInNames.find((name) => keyType.startsWith(`${name}_`));
}
