import type { ProblemView } from '@agent/orchestrator/watch';
import { moment } from '../html/figures.ts';
import { foreignText } from '../html/foreign.ts';
import { type Markup, markup } from '../html/markup.ts';
import type { Visit } from './visit.ts';

/** Problems that a banner names. */
const shownProblems = 3;

/** Renders the most urgent problems of the service for the top of a page; hidden while there are none, so that a live page can show them. */
export function problemBanner({ problems = [], texts, base }: Visit): Markup {
  if (problems.length === 0)
    return markup`<section id="problems" class="notice" aria-label="${texts.problemsHeading}" data-live hidden></section>`;
  const others = problems.length - shownProblems;
  const isBad = problems.some(({ state }) => state === 'failed');
  return markup`<section class="notice ${isBad ? 'bad' : 'warn'}" id="problems" aria-label="${texts.problemsHeading}" data-live><ul class="list">${problems
    .slice(0, shownProblems)
    .map((problem) => markup`<li>${problemLine(problem, texts)}</li>`)}</ul>
<p class="small"><a href="${base}/health">${others > 0 ? texts.otherProblems(others) : texts.health}</a></p></section>`;
}

/** Renders all problems with what to do. */
export function problemList(problems: readonly ProblemView[], { texts }: Visit): Markup {
  if (problems.length === 0) return markup`<p>${texts.noProblems}</p>`;
  return markup`<ul class="list" id="problem-list">${problems
    .slice(0, 100)
    .map(
      (problem) =>
        markup`<li>${problemLine(problem, texts)}${
          problem.reason !== null &&
          markup`<br><span class="soft">${foreignText(problem.reason, { maxChars: 500 })}</span>`
        }</li>`,
    )}</ul>`;
}

function problemLine({ what, remedy, since, until, state }: ProblemView, texts: Visit['texts']): Markup {
  return markup`<span class="state ${state === 'failed' ? 'bad' : 'waiting'}"><span class="unseen">${texts.conditionStates[state]}</span></span> <strong>${foreignText(what, { maxChars: 300 })}</strong> <span class="small">${
    since !== null && markup`${texts.since} ${moment(since)}`
  }${until !== null && markup` · ${texts.expectedEnd} ${moment(until)}`}</span><br>${remedy}`;
}
