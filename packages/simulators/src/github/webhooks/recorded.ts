import { createRequire } from 'node:module';
import { shapeDifferences } from '../shape.ts';

interface Recorded {
  readonly name: string;
  readonly examples: readonly Readonly<Record<string, unknown>>[];
}

// As data: the package's own entry starts intercepting HTTP.
const recorded: readonly Recorded[] = createRequire(import.meta.url)('@octokit/webhooks-examples');

/** A payload of the vendor's examples; without what only organizations and apps add. For this folder's own tests. */
export function recordedPayload(event: string, action?: string): Readonly<Record<string, unknown>> {
  const examples = recorded.find(({ name }) => name === event)?.examples;
  const found = examples?.find((one) => action === undefined || one.action === action);
  if (found === undefined) throw new Error(`no example of ${event} ${action}`);
  const { installation, organization: _organization, changes: _changes, ...rest } = found;
  return event.startsWith('installation') ? { ...rest, installation } : rest;
}

/** What the simulator has not, or what these repositories, apps and commits have not. */
const known = new RegExp(
  [
    'milestone|issue\\.draft|\\.topics|\\.custom_properties|\\.language|\\.description|\\.homepage',
    '\\.permissions\\.|single_file|installation\\.(created|updated)_at',
    'requested_reviewers|merge_commit_sha|check_run\\.deployment|verification|commit\\.(author|committer):',
  ].join('|'),
);

/** How a composed payload differs from a recorded one, but for what the simulator is known not to have. */
export function payloadDifferences(real: unknown, composed: Buffer): readonly string[] {
  return shapeDifferences(real, JSON.parse(composed.toString())).filter((one) => !known.test(one));
}
