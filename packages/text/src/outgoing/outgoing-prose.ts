import type { Span } from '../clean/edits.ts';
import type { IsOwnAddress } from './own-address.ts';
import { breaker, maskSpans, type TextEdit, toCode } from './text-edits.ts';

const insert = (at: number, text: string = breaker): TextEdit => ({ start: at, end: at, text });

/**
 * Text that a page makes a link of: an address with a scheme or with `www`, or of mail. GitLab takes any scheme, and
 * looks for them once escapes are read.
 *
 * @see https://github.github.com/gfm/#autolinks-extension-
 * @see https://docs.gitlab.com/user/markdown/#links
 */
const addresses =
  /(?<![a-z0-9+.-])[a-z0-9+.-]+\\?:\\?\/\\?\/[^\s<>|`[\]\ue000\ue001]*|(?<![a-z0-9])www\\?\.[^\s<>|`[\]\ue000\ue001]+|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\\?\.[\w-]{1,63}){1,8}/gi;
/** Signs behind an address that end the sentence. */
const sentenceEnd = /^[!?.,:;*_~'")\\]{0,40}(?:\s|$)/;
const trailing = new Set(`!?.,:;*_~'")\\`);

/** Text that a page makes a link of by itself. */
export interface BareLinks {
  readonly edits: readonly TextEdit[];
  /** Addresses that stay. */
  readonly kept: readonly Span[];
}

/** Finds addresses and commits in a text whose code and links are masked. */
export function findBareLinks(text: string, isOwn: IsOwnAddress): BareLinks {
  const edits: TextEdit[] = [];
  const kept: Span[] = [];
  for (const { index: start, 0: found } of text.matchAll(addresses)) {
    const isAngled = text[start - 1] === '<' && text[start + found.length] === '>';
    const address = isAngled ? found : withoutEnd(found);
    const end = start + address.length;
    const span = isAngled ? { start: start - 1, end: end + 1 } : { start, end };
    const isAlone = isAngled || sentenceEnd.test(text.slice(end, end + 40));
    if (isAlone && isOwn(address)) kept.push(span);
    else edits.push({ ...span, text: toCode(address) });
  }
  const others = maskSpans(text, [...kept, ...edits]);
  for (const { index: start, 0: found } of others.matchAll(commit))
    edits.push({ start, end: start + found.length, text: toCode(found) });
  return { edits, kept };
}

function withoutEnd(address: string): string {
  let end = address.length;
  while (end > 0 && trailing.has(address[end - 1] ?? '')) end -= 1;
  return address.slice(0, end);
}

/** A mention: a forge takes only ASCII letters before it for part of a word. */
const mention = /(?<![A-Za-z0-9])@(?=[^\s\u200b])/g;

/**
 * A character by its number or name, which Markdown shows as the character. HTML needs no semicolon behind a number.
 *
 * @see https://spec.commonmark.org/0.31.2/#entity-and-numeric-character-references
 */
const references =
  /&(?:#x(?<hex>[\da-f]+)|#(?<decimal>\d+)|(?:commat|num|excl|amp|colon|sol|period|lowbar|hyphen|dash|nbsp|nonbreakingspace|dollar|percnt|lsqb|lbrack|[a-z]{0,12}sp|[a-z]{0,8}space|tab|newline)(?=;));?/giu;

/**
 * Words with which a forge closes what is named behind them, once the text reaches its default branch. As with mentions,
 * letters beyond ASCII do not make them part of a longer word.
 *
 * @see https://docs.github.com/en/issues/tracking-your-work-with-issues/using-issues/linking-a-pull-request-to-an-issue
 * @see https://docs.gitlab.com/user/project/issues/managing_issues/#default-closing-pattern
 */
const closing =
  /(?<![A-Za-z0-9])(?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?)(?![A-Za-z0-9])/giu;

/** The text between such a word and what it closes. */
const gaps = [/[^\p{L}\p{N}#!&]*/uy, /(?:issues?)?/iy, /[^\p{L}\p{N}#!&]*/uy] as const;
const closed = /[\w./-]{0,200}[#!&]\u200b?\d|https?:\/\/\S{1,300}\d|[A-Z][A-Z0-9_]{1,20}-\d/iy;

/** Words that keep a forge's pipelines from running: of every service that reads `[skip …]`, and of Azure and GitHub. */
const skipping =
  /\[(?=\s{0,4}(?:skip[ _.-][\w. -]{1,60}|(?:(?:no|ci)[ _.-][\w-]{1,30}|[\w-]{1,30}[ _.-]skip)\s{0,4})\])|\*\*\*(?=NO_CI\*\*\*)|^skip-(?=checks:)/gim;

/**
 * Names of other threads, labels, milestones and the like, which a page links, and of which GitHub and GitLab tell the
 * thread that is named. Each is broken behind the sign.
 *
 * @see https://docs.github.com/en/get-started/writing-on-github/working-with-advanced-formatting/autolinked-references-and-urls
 * @see https://docs.gitlab.com/user/markdown/#gitlab-specific-references
 */
const crossReferences = [
  /[!&$](?=\d)/g,
  /(?<!&)#(?=\d{1,15}(?![A-Za-z0-9]))|&#(?=\d{1,9}(?![\d;]))/g,
  /%(?=[\w\ue000]|\\?["{]|&quot|&lbrace|&lcub)/gi,
  /(?<!~)~(?=[\w\ue000]|\\?"|&quot)/gi,
  /(?:\^|&hat;)(?=alert)/gi,
  /G[HL]-(?=\d)/gi,
  /(?:\*|&(?:mid)?ast;)(?=iteration:)/gi,
  /\[(?=[a-z_]{3,20}:)/gi,
  /(?<=[A-Za-z0-9])@(?=[0-9a-f]{7})/g,
] as const;

/** A page of a wiki: `[[page]]`. */
const wikiPage = /\[(?=\\?\[)/g;
/** A project of GitLab: `group/project>`. */
const project = /[\w-]\\?\/(?:[\w.-]|\\[._-]){1,100}(?=\\?>|&gt)/gi;
/** A commit by its number, in letters and digits. */
const commit =
  /(?<![A-Za-z0-9#])(?=[a-f]{0,39}\d)(?=\d{0,39}[a-f])[0-9a-f]{7,40}(?:-[0-9a-f]{1,40}){0,9}(?![A-Za-z0-9])/g;

/** Commands of a forge and of bots: on a line of their own, behind marks of lists and quotes as well. */
const command = /^[ \t>*+\d.)\ue001-]{0,60}\/(?=[a-z])/gim;
const spokenCommand =
  /^[ \t>*+\ue001-]{0,60}(?:a(?=tlantis[ \t]|dd to (?:allow|white)list)|b(?=ors(?:[ :]|$))|d(?=igger[ \t])|p(?=re-commit\.ci[ \t])|r(?=echeck[ \t]*$|etest this|erun |un (?:ci|tests))|t(?=errateam[ \t]|est this please)|o(?=k to test)|j(?=enkins\b))/gim;
/** A description of the line before, in GitLab. */
const description = /^[ \t\ue001]{0,60}[:~](?=[ \t])/gm;
/** A file that GitLab would put there. */
const inclusion = /^[ \t\ue001]{0,60}:(?=:include\{)/gim;

/** A text of which some parts are left alone. */
export interface ProseText {
  /** The text with those parts masked. */
  readonly prose: string;
  /** The same with code and addresses, which words that close may stand before. */
  readonly whole: string;
  /** Texts of links, in which a page links nothing else. */
  readonly linked: readonly Span[];
}

/** Finds what must be broken or escaped for a text to do nothing but being read. */
export function findProseEdits({ prose, whole, linked }: ProseText): readonly TextEdit[] {
  const unlinked = maskSpans(prose, linked);
  return [
    ...[mention, skipping, wikiPage, project, spokenCommand].flatMap((form) => breakBehind(form, prose)),
    ...crossReferences.flatMap((form) => breakBehind(form, unlinked)),
    ...findReferenceEdits(prose),
    ...findClosingEdits(prose, whole),
    ...[command, description, inclusion]
      .flatMap((form) => placesBehind(form, prose))
      .map((at) => insert(at - 1, '\\')),
  ];
}

/**
 * The same for titles. GitLab reads references in them, and GitHub in the commit that takes its subject from one. The number
 * at the end stays: a draft names its issue there.
 */
export function findTitleEdits(text: string): readonly TextEdit[] {
  const named = text.replace(/ \(?#\d{1,15}\)?$/, '');
  const references = [wikiPage, project, ...crossReferences].flatMap((form) => breakBehind(form, named));
  return [...findPlainEdits(text), ...references];
}

/** The same for what is no Markdown, such as messages of commits. Numbers of threads stay. */
export function findPlainEdits(text: string): readonly TextEdit[] {
  return [...[mention, skipping].flatMap((form) => breakBehind(form, text)), ...findClosingEdits(text, text)];
}

function breakBehind(form: RegExp, text: string): readonly TextEdit[] {
  return placesBehind(form, text).map((at) => insert(at));
}

function placesBehind(form: RegExp, text: string): readonly number[] {
  return [...text.matchAll(form)].map(({ index, 0: found }) => index + found.length);
}

/** A letter, digit, space or sign that is written by its number stands alone: it is no part of a word or number. */
function findReferenceEdits(text: string): readonly TextEdit[] {
  return [...text.matchAll(references)].flatMap(({ index, 0: found, groups }) => {
    const { hex, decimal } = groups ?? {};
    const number = hex === undefined ? Number(decimal ?? 0) : Number.parseInt(hex, 16);
    const isPlain = number < 0x80 || (number <= 0x3000 && /\s/.test(String.fromCharCode(number)));
    const ends = [index, index + found.length];
    return isPlain
      ? ends.filter((at) => text[at] !== breaker && text[at - 1] !== breaker).map((at) => insert(at))
      : [];
  });
}

function findClosingEdits(prose: string, whole: string): readonly TextEdit[] {
  return [...prose.matchAll(closing)]
    .filter(({ index, 0: word }) => isBeforeClosed(whole, index + word.length))
    .map(({ index }) => insert(index + 1));
}

function isBeforeClosed(text: string, start: number): boolean {
  let at = start;
  for (const gap of [...gaps, closed]) {
    gap.lastIndex = at;
    if (!gap.test(text)) return false;
    at = gap.lastIndex;
  }
  return true;
}
