import type { CreatedItems } from './rehearsal-context.ts';
import type { RehearsalTexts } from './texts.en.ts';

/** Acts when the user does not wait for the clean-up. They run without waiting, since the process exits right after them. */
export class Abandonment {
  readonly #acts: (() => void)[] = [];
  #describe: () => readonly string[] = () => [];

  /** Adds something to end or to remove on this machine. The newest runs first. */
  add(act: () => void): void {
    this.#acts.push(act);
  }

  /** Sets how the remains on the platform are described. */
  describeWith(describe: () => readonly string[]): void {
    this.#describe = describe;
  }

  /** Runs every act, although another one fails. @returns what stays, one line for each item */
  run(): readonly string[] {
    const failed: string[] = [];
    for (const act of this.#acts.splice(0).reverse())
      try {
        act();
      } catch (error) {
        failed.push((error as Error).message);
      }
    return [...this.#describe(), ...failed];
  }
}

/** Describes what a rehearsal has created on the platform so far, one line for each item. */
export function describeCreated(
  { issue, request, branch, labels, requestedLabel, isIssueRequested }: CreatedItems,
  { left }: RehearsalTexts,
  { branchPrefix }: { readonly branchPrefix: string },
): readonly string[] {
  const issueLines = issue === null ? [] : [`${left.issue(issue.number)}: ${issue.url}`];
  return [
    ...(issue === null && isIssueRequested ? [left.possibleIssue] : issueLines),
    ...(request === null ? [] : [`${left.request(request.number)}: ${request.url}`]),
    ...(issue === null ? [] : [branch === null ? left.anyBranch(branchPrefix) : left.branch(branch)]),
    ...labels.map((label) => left.label(label)),
    ...(requestedLabel === null ? [] : [left.possibleLabel(requestedLabel)]),
  ];
}
