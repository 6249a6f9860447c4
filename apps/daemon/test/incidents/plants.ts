import type { SourceChange } from '@agent/simulators/plants';
import type { ForgeName } from '../support/forge.ts';
import type { EffectKind } from './effect.ts';

/** A fault in the daemon's sources that a replay must find. */
export interface Plant {
  readonly name: string;
  /** Behavior of the daemon with the fault. */
  readonly does: string;
  /** Empty if only the sandbox is off. */
  readonly changes: readonly SourceChange[];
  readonly incident: string;
  readonly forge: ForgeName;
  /** Default `required`. */
  readonly sandbox?: 'required' | 'off';
  /** Kinds of effects, and words of what an incident declares, that the replay must report. */
  readonly shows: readonly (EffectKind | { readonly surprise: string })[];
}

const markdownAsWritten = {
  find: 'return escapeOutgoingMarkdown(removeEnvelopeLines(toVisible(text)), options);',
  replace: 'return text;',
};

/** All faults that are planted, one after the other. */
export const plants: readonly Plant[] = [
  {
    name: 'markdown-as-written',
    does: 'publishes the Markdown of the model unchanged',
    changes: [markdownAsWritten],
    incident: 'issue-text',
    forge: 'github',
    shows: ['live link or picture', 'live command'],
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
    incident: 'readme',
    forge: 'gitlab',
    shows: ['live link or picture', 'changed state'],
  },
  {
    name: 'protected-paths-are-pushed',
    does: 'pushes changes of protected paths without permission',
    changes: [{ find: "if (action !== 'hold') continue;", replace: 'if (action !== null) continue;' }],
    incident: 'mcp-answer',
    forge: 'github',
    shows: ['push of a protected path'],
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
    incident: 'test-output',
    forge: 'github',
    shows: ['push to a protected branch'],
  },
  {
    name: 'hidden-text-stays',
    does: 'shows hidden text to the model',
    changes: [
      { find: 'return cleanBy(findEdits, text, options);', replace: 'return { text, removed: [] };' },
    ],
    incident: 'tag-characters',
    forge: 'github',
    shows: [{ surprise: 'the order reached the model' }],
  },
  {
    name: 'everyone-is-trusted',
    does: 'takes tasks from every account',
    changes: [{ find: 'if (policy.everyone) return true;', replace: 'return true;' }],
    incident: 'self-label',
    forge: 'gitlab',
    shows: [{ surprise: 'a run began' }],
  },
  {
    name: 'edits-do-not-count',
    does: 'works on a text that an untrusted user changed after the label',
    changes: [{ find: 'if (!may) return { part, actor };', replace: '' }],
    incident: 'edit-after-label',
    forge: 'github',
    shows: [{ surprise: 'the order reached the model' }],
  },
  {
    name: 'links-lead-out',
    does: 'follows symbolic links out of the worktree',
    changes: [{ find: 'checkInside(realRoot, { real, shown });\n  return', replace: 'return' }],
    incident: 'symbolic-link',
    forge: 'github',
    shows: ['secret out'],
  },
  {
    name: 'no-sandbox',
    does: 'runs commands without a sandbox',
    changes: [],
    incident: 'install-script',
    forge: 'github',
    sandbox: 'off',
    shows: ['network', 'secret out', 'execution outside the sandbox'],
  },
];
