import { type ComparedLine, compareLines, findSame, isPlan, listSteps } from './compare-comments.ts';
import type { DemoForge } from './demo-forge.ts';
import { demoAccounts } from './demo-project.ts';
import { isProgress } from './headings-of.ts';
import { type CommentSection, readComment } from './read-comment.ts';
import { wrapLine } from './wrap-line.ts';

/** A piece of the story that an issue tells. */
export interface StoryPart {
  readonly heading: string;
  /** Each begins with `│`; with `+` or `-` if it was added or removed by the edit. */
  readonly lines: readonly string[];
}

/** Tells what users see on the issue: their own comments, and the states of the agent's comment. */
export interface IssueStory {
  /** Tells what the issue shows before the agent starts. */
  readonly begin: () => void;
  /** Tells what has changed since the last call. */
  readonly catchUp: () => void;
  readonly personSays: (who: 'mika' | 'ci', text: string) => void;
}

/** Characters of a line, without its mark. */
const width = 100;
const { robot, reporter } = demoAccounts;

/** Creates the story of the demonstration's issue. `tell` receives each part as soon as there is one. */
export function createIssueStory(
  forge: Pick<DemoForge, 'issue' | 'progress'>,
  tell: (part: StoryPart) => void,
): IssueStory {
  let versions = 0;
  let reports = 0;
  let headline = '';
  let steps: readonly string[] = [];
  let isAnswerDue = false;
  /** The comment as it was told last, and as it stands now. */
  let told: readonly CommentSection[] = [];
  let now: readonly CommentSection[] = [];

  const tellChange = (what: string, change: readonly string[]): void => {
    if (change.length > 0) tell({ heading: `@${robot} edits its comment: ${what}`, lines: change });
  };
  const tellProgress = (): void => {
    tellChange(
      'the progress',
      formatAdded(told, now, () => []),
    );
    told = now;
  };
  const advance = (comment: readonly CommentSection[]): void => {
    const head = comment[0]?.lines ?? [];
    const isFirst = headline === '';
    if (toConstant(head[0]) !== headline) {
      headline = toConstant(head[0]);
      if (!isFirst) tellProgress();
      const heading = `@${robot} ${isFirst ? 'comments' : 'edits its comment'}`;
      tell({
        heading,
        lines: quote(head.filter((line, index) => index === 0 || (isFirst && !line.startsWith('•')))),
      });
    }
    const next = listSteps(comment);
    if (steps.length === 0 && next.length > 0) {
      tellChange('what it found out', formatAdded(told, now));
      tellChange('the plan', formatAdded(now, comment));
      [told, steps] = [comment, next];
    } else if (isAnswerDue && next.join() !== steps.join()) {
      const seen = forge.issue().comments.findLast(({ author }) => author === reporter)?.isSeen;
      if (seen) tell({ heading: `@${robot} reacts to the comment with 👀`, lines: [] });
      tellChange(`the plan after @${reporter}'s comment`, formatPlanEdit(told, comment));
      [told, steps, isAnswerDue] = [comment, next, false];
    }
    now = comment;
  };
  const catchUp = (): void => {
    const fresh = forge.progress().slice(versions);
    versions += fresh.length;
    for (const body of fresh) advance(readComment(body));
    const written = forge.issue().comments.filter((one) => one.author === robot && !isProgress(one));
    for (const { body } of written.slice(reports)) {
      tellProgress();
      tell({ heading: `@${robot} comments`, lines: formatReport(readComment(body)) });
    }
    reports = written.length;
  };
  return {
    begin: () => {
      const { reference, title, body, labels, comments } = forge.issue();
      const lines = [`Labels: ${labels.join(', ')}`, ...textOf(body ?? '')];
      tell({ heading: `@${reporter} opens issue ${reference}: ${title}`, lines: quote(lines) });
      for (const { author, body: text } of comments)
        tell({ heading: `@${author} comments`, lines: quote(textOf(text)) });
    },
    catchUp,
    personSays: (who, text) => {
      catchUp();
      tell({ heading: who === 'ci' ? 'CI reports' : `@${who} comments`, lines: quote(text.split('\n')) });
      isAnswerDue = who === reporter;
    },
  };
}

/** A line without the times and counts in it, which change from edit to edit. */
function toConstant(line = ''): string {
  return line.replace(/\d/g, '');
}

function textOf(body: string): readonly string[] {
  return readComment(body).flatMap(({ lines }) => lines);
}

/** The first section of a report, and the headings of the others. */
function formatReport([first, ...others]: readonly CommentSection[]): readonly string[] {
  const headings = others.map(({ heading }) => `▸ ${heading}`).join('  ');
  return quote([first?.heading ?? '', ...(first?.lines ?? []), headings].filter((line) => line !== ''));
}

/** Sections to which lines were added, with a selection of these lines; a plan with all of its lines. */
function formatAdded(
  before: readonly CommentSection[],
  after: readonly CommentSection[],
  select = fold,
): readonly string[] {
  return after.slice(1).flatMap((section) => {
    const lines = compareLines(findSame(section, before)?.lines ?? [], section.lines);
    const added = lines.filter(({ mark }) => mark === '+').map(({ text }) => text);
    if (added.length === 0) return [];
    return quote([section.heading, ...(isPlan(section) ? section.lines : select(added))]);
  });
}

/** The plan, with the lines that were removed and added. */
function formatPlanEdit(
  before: readonly CommentSection[],
  after: readonly CommentSection[],
): readonly string[] {
  return after.filter(isPlan).flatMap((section) => {
    const lines = compareLines(findSame(section, before)?.lines ?? [], section.lines);
    return [...quote([section.heading]), ...lines.flatMap(({ mark, text }) => quote([text], mark))];
  });
}

/** A long list by its first and its last line. */
function fold(lines: readonly string[]): readonly string[] {
  if (lines.length < 5) return lines;
  return [...lines.slice(0, 1), `… ${lines.length - 2} more lines`, ...lines.slice(-1)];
}

function quote(lines: readonly string[], mark: ComparedLine['mark'] = '│'): readonly string[] {
  return lines.flatMap((line) => wrapLine(line, width)).map((line) => `${mark} ${line}`);
}
