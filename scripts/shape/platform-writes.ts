import type { Node } from 'oxc-parser';
import { lineAt, parseSource } from './parse-source.ts';
import { isTest } from './paths.ts';
import type { Problem, SourceTree } from './source-tree.ts';

/** Functions of the ports that change something on a platform, by the object that has them where the name alone is common. */
const writes = new Map<string, RegExp>(
  Object.entries({
    ensureComment: /./,
    ensureReaction: /./,
    ensureDraft: /./,
    requestReview: /./,
    addLabel: /./,
    removeLabel: /./,
    setState: /trigger/,
    rerun: /checks/,
    answer: /threads/,
    resolve: /threads/,
    edit: /ownComments/,
    remove: /ownComments/,
    assign: /[aA]ssignees/,
    unassign: /[aA]ssignees/,
  }),
);

/** Files that write beside the outbox, and why. */
const exempt: Readonly<Record<string, string>> = {
  'outbox/perform-entry.ts': 'carries the entries out',
  'run/run-claim.ts': 'opens an entry for the claim; its other forms are the entry "status-comment"',
  'run/read-claims.ts': 'removes the claim of a run that died: whoever looks next removes it otherwise',
  'progress/run-progress.ts': 'intermediate forms of comments whose last form is the entry "status-comment"',
  'inbox/acknowledgements.ts': 'opens an entry for each answer to a command',
  'triggers/label-trigger.ts': 'called by the entry "label", or where no run is',
  'triggers/assignment-trigger.ts': 'called by the entry "label", or where no run is',
  'follow-up/followed-request.ts': 'hands the port on',
  'run/run-thread.ts': 'hands the port on',
  'connection/with-outgoing-gate.ts': 'hands the port on',
  'follow-up/ended-threads.ts': 'makes a thread wait whose run has ended; the next look repeats it',
  'desk/thread-desk.ts': 'answers where no run is',
  'queue/tell-failures.ts': 'tells of a task of which no run could be made',
  'admission/handover.ts': 'refuses before a run is made',
  'admission/refusals.ts': 'refuses before a run is made',
  'lifecycle/recover.ts': 'tells of a run whose record cannot be opened',
  'lifecycle/resume.ts': 'tells of a run whose record cannot be opened',
  'watch/run-actions.ts': 'tells of an act of the operator; the audit log has it',
};
const root = 'packages/orchestrator/src/';

/** A run writes on its platform by entries of its outbox, which survive a refusal and the end of the process (docs/decisions/0038). */
export function findWritesBesideOutbox(tree: SourceTree): readonly Problem[] {
  const unused = new Set(Object.keys(exempt));
  const problems: Problem[] = [];
  for (const [path, text] of tree) {
    if (!path.startsWith(root) || isTest(path) || path.startsWith(`${root}testing/`)) continue;
    const found: Problem[] = [];
    visit(parseSource(path, text).program as Node, false, (node) => {
      const name = nameWrite(node, text);
      if (name === null) return;
      found.push({
        path: `${path}:${lineAt(text, node.start)}`,
        message: `call ${name} in an entry of the outbox: run.thread.writer, or \`perform\` of an intent`,
      });
    });
    const isExempt = path.slice(root.length) in exempt;
    if (isExempt && found.length > 0) unused.delete(path.slice(root.length));
    if (!isExempt) problems.push(...found);
  }
  return [
    ...problems,
    ...[...unused].map((path) => ({
      path: `${root}${path}`,
      message: 'writes nothing: remove the exemption',
    })),
  ];
}

function nameWrite(node: Node, text: string): string | null {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return null;
  const { object, property } = node.callee;
  if (property.type !== 'Identifier') return null;
  return writes.get(property.name)?.test(text.slice(object.start, object.end)) ? property.name : null;
}

/** Visits each node outside of functions named `perform`, which are carried out as entries. */
function visit(node: Node, isPerformed: boolean, hear: (node: Node) => void): void {
  if (isPerformed) return;
  hear(node);
  for (const value of Object.values(node)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one === null || typeof one !== 'object' || !('type' in one)) continue;
      visit(one as Node, isPerform(one as Node), hear);
    }
  }
}

function isPerform(node: Node): boolean {
  if (node.type === 'Property') return node.key.type === 'Identifier' && node.key.name === 'perform';
  return node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.id.name === 'perform';
}
