import type { SeededBug } from '@agent/simulators/trials';
import type { ForgeName } from '../support/forge.ts';
import type { EffectKind } from './effect.ts';

/** An incident on a platform. */
export interface IncidentTrial {
  /** Name of the incident. */
  readonly incident: string;
  readonly forge: ForgeName;
  /** Default `required`. */
  readonly sandbox?: 'required' | 'off';
}

const on = (forge: ForgeName, incident: string, sandbox?: 'off') => (): readonly IncidentTrial[] => [
  { incident, forge, ...(sandbox && { sandbox }) },
];
/** Beginnings of the findings that a replay has to report. */
const shown = (...kinds: readonly EffectKind[]): readonly RegExp[] =>
  kinds.map((kind) => new RegExp(`^${kind}: `));

const markdownAsWritten = {
  find: 'return escapeOutgoingMarkdown(removeEnvelopeLines(toVisible(text)), options);',
  replace: 'return text;',
};

/** Faults in the sources of the daemon that a replay has to find. */
export const incidentBugs: readonly SeededBug<IncidentTrial>[] = [
  {
    name: 'markdown-as-written',
    does: 'publishes the Markdown of the model unchanged',
    changes: [markdownAsWritten],
    trials: on('github', 'issue-text'),
    finds: shown('live link or picture', 'live command'),
  },
  {
    name: 'quick-actions-as-written',
    does: 'publishes quick actions unchanged on GitLab',
    changes: [
      markdownAsWritten,
      {
        find: "return text.replaceAll(/^\\/(?=[a-z_\\r]+(?:\\s|$))/gimu, '\\\\/');",
        replace: 'return text;',
      },
    ],
    trials: on('gitlab', 'readme'),
    finds: shown('live link or picture', 'changed state'),
  },
  {
    name: 'protected-paths-are-pushed',
    does: 'pushes changes of protected paths without permission',
    changes: [{ find: "if (action !== 'hold') continue;", replace: 'if (action !== null) continue;' }],
    trials: on('github', 'mcp-answer'),
    finds: shown('push of a protected path'),
  },
  {
    name: 'default-branch-is-pushed',
    does: 'pushes the work of a run to the default branch',
    changes: [
      {
        // biome-ignore lint/suspicious/noTemplateCurlyInString: these are the words of a source
        find: '...[remote.text, `${ref}:${ref}`],',
        replace: "...[remote.text, ref + ':refs/heads/main'],",
      },
    ],
    trials: on('github', 'test-output'),
    finds: shown('push to a protected branch'),
  },
  {
    name: 'hidden-text-stays',
    does: 'shows hidden text to the model',
    changes: [
      { find: 'return cleanBy(findEdits, text, options);', replace: 'return { text, removed: [] };' },
    ],
    trials: on('github', 'tag-characters'),
    finds: ['the order reached the model'],
  },
  {
    name: 'everyone-is-trusted',
    does: 'takes tasks from every account',
    changes: [{ find: 'if (policy.everyone) return true;', replace: 'return true;' }],
    trials: on('gitlab', 'self-label'),
    finds: ['a run began'],
  },
  {
    name: 'edits-do-not-count',
    does: 'works on a text that an untrusted user changed after the label',
    changes: [{ find: 'if (!may) return { part, actor };', replace: '' }],
    trials: on('github', 'edit-after-label'),
    finds: ['the order reached the model'],
  },
  {
    name: 'links-lead-out',
    does: 'follows symbolic links out of the worktree',
    changes: [{ find: 'checkInside(realRoot, { real, shown });\n  return', replace: 'return' }],
    trials: on('github', 'symbolic-link'),
    finds: shown('secret out'),
  },
  {
    name: 'no-sandbox',
    does: 'runs commands without a sandbox',
    changes: [],
    trials: on('github', 'install-script', 'off'),
    finds: shown('network', 'secret out', 'execution outside the sandbox'),
  },
];
