import { cleanLine, cleanText, fitColumns } from '../../apps/daemon/src/text/terminal-text.ts';
import { chooseLocale } from '../../apps/discord/src/texts/choose-texts.ts';
import { escapeHeadings, shortenText } from '../../packages/comment-detection/src/format-changes-message.ts';
import { parseInheritanceCommands } from '../../packages/context-inheritance/src/inheritance-commands.ts';
import { parseCommand, replaceCommands } from '../../packages/orchestrator/src/inbox/commands.ts';
import { parseFinalSummary } from '../../packages/orchestrator/src/inheritance/final-summary.ts';
import {
  fitCommentBody,
  isSameBody,
  parseCommentMarker,
} from '../../packages/platforms/src/comments/index.ts';
import { escapeQuickActions } from '../../packages/platforms/src/gitlab/gitlab-comment-writer.ts';
import { parseRejections } from '../../packages/pre-planning/src/index.ts';
import { withoutThinking } from '../../packages/runner/src/index.ts';
import { findPlaceholders, readPlan } from '../../packages/runner/src/planning/index.ts';
import { isTextCall } from '../../packages/runner/src/text-calls/is-text-call.ts';
import { cleanName } from '../../packages/text/src/clean/clean-untrusted-text.ts';
import {
  cleanUntrustedText,
  createToLine,
  estimateTokens,
  parseCommands,
  removeHidden,
  unwrapToolOutput,
  wrapUntrustedText,
} from '../../packages/text/src/index.ts';
import {
  escapeOutgoingMessage,
  escapeOutgoingText,
  toCodeSpan,
} from '../../packages/text/src/outgoing/escape-outgoing.ts';
import { nothingAllowed, scanPatch } from '../../packages/text/src/outgoing/scan-patch.ts';
import { createKnownSecrets, findSecrets } from '../../packages/text/src/secrets/index.ts';
import { toPlainLine } from '../../packages/thread-context/src/chat/index.ts';
import { formatFirstMessage, toConversationContext } from '../../packages/thread-context/src/index.ts';

const known = createKnownSecrets(['Zx9-owner-held-secret-value-77']);

const nonce = '0123456789abcdef';

function tellThread(body: string): string {
  const issue = {
    id: 1,
    number: 1,
    title: body.slice(0, 256),
    body,
    created_at: '2026-01-01T00:00:00Z',
    user: null,
  };
  const comments = [{ ...issue, id: 2 }];
  const context = toConversationContext(issue, comments, { ownAccount: null, maxContextChars: 40_000 });
  return formatFirstMessage(context, { locale: 'en' });
}

/** The text as a change of one file, in UTF-8 and once more between NULs. */
async function scanAdded(text: string): Promise<unknown> {
  const lines = [...text.split('\n'), `\u0000${text.slice(0, text.length / 8).replaceAll('\n', ' ')}`];
  const added = lines.map((line) => `+${line}\n`).join('');
  const bytes = Buffer.from(`diff --git a/a b/a\n@@ -0,0 +1,${lines.length} @@\n${added}`);
  const progress = new Int32Array(new SharedArrayBuffer(8));
  return scanPatch({
    bytes,
    isCut: false,
    secrets: ['a-secret-of-9-plums-and-7-pears'],
    allow: nothingAllowed,
    progress,
  });
}

/** What text of strangers and of models goes through on its way, by name. */
export const textFunctions: Readonly<Record<string, (text: string) => unknown>> = {
  cleanUntrustedText,
  'toConversationContext, formatFirstMessage': tellThread,
  unwrapToolOutput: (text) => unwrapToolOutput(text),
  wrapUntrustedText: (text) =>
    wrapUntrustedText(text, { author: text.slice(0, 99), authority: 'untrusted', nonce }),
  removeHidden,
  escapeHeadings,
  shortenText: (text) => shortenText(text, 20_000),
  parseInheritanceCommands,
  parseRejections,
  parseCommands: (text) =>
    // As long as the text is, or the figures would be those of another length.
    parseCommands(`/stop\n${text.replaceAll('\n', '\n/stop ')}`.slice(0, text.length), ['stop']),
  parseCommentMarker,
  fitCommentBody: (text) => fitCommentBody(text, { maxChars: 20_000, locale: 'en' }),
  isSameBody: (text) => isSameBody(text, `${text} `),
  escapeQuickActions,
  estimateTokens,
  withoutThinking,
  readPlan: (text) => readPlan(text, { tools: ['read_file'], maxSubtasks: 100 }),
  findPlaceholders: (text) =>
    findPlaceholders(`+++ b/a.py\n@@ -0,0 +1,99999999 @@\n+${text.replaceAll('\n', '\n+')}`),
  createToLine: createToLine((text) => text),
  parseCommand,
  replaceCommands: (text) => replaceCommands(text, (command) => command),
  parseFinalSummary,
  findSecrets: (text) => findSecrets(text, known),
  isTextCall: (text) => isTextCall(text, { tools: null }),
  escapeOutgoingText,
  scanPatch: scanAdded,
  escapeOutgoingMessage,
  toCodeSpan,
  cleanLine,
  cleanText,
  cleanName,
  fitColumns: (text) => fitColumns(text, 80),
  toPlainLine,
  chooseLocale: (text) => chooseLocale({ content: text, guildLocale: null }, 'auto'),
};
