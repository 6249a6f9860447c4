import type { Desk, DeskRequest, DeskThread, DiffLine } from './desk/desk.ts';

/** Issue that a person opens. */
export interface OpenedIssue {
  readonly number: number;
  readonly url: string;
  readonly nodeId: string;
}

/** Issue that a person is to open. */
export interface IssueToOpen {
  /** Text in the body that no other issue has. */
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly label: string;
  /** Called as soon as the issue exists, before it has the label. */
  readonly onOpened: (issue: OpenedIssue) => void;
}

/** Writes the comments of the person on the issue. */
export interface PersonComments {
  /** @returns the id of the comment */
  readonly post: (thread: DeskThread, body: string) => Promise<string>;
  readonly edit: (thread: DeskThread, id: string, body: string) => Promise<void>;
  readonly remove: (thread: DeskThread, id: string) => Promise<void>;
}

/** The person's part of a rehearsal. A step is done when its promise resolves. */
export interface Person {
  /** Login of the account; null if it is known only after the first step. */
  readonly login: () => string | null;
  /** Opens the issue and adds the label of tasks. */
  readonly openIssue: (issue: IssueToOpen) => Promise<OpenedIssue>;
  readonly comments: PersonComments;
  /** Comments on a line of the draft. @returns the id of the comment */
  readonly review: (request: DeskRequest, at: DiffLine, body: string) => Promise<string>;
}

/** Creates a person who acts through a second credential. */
export function createCredentialPerson(desk: Desk, login: string): Person {
  return {
    login: () => login,
    openIssue: async ({ title, body, label, onOpened }) => {
      const issue = await desk.issues.open({ title, body });
      onOpened(issue);
      await desk.issues.addLabel(issue.number, label);
      return issue;
    },
    comments: {
      post: async (thread, body) => (await desk.comments.post(thread, body)).id,
      edit: async (thread, id, body) => void (await desk.comments.edit(thread, id, body)),
      remove: desk.comments.remove,
    },
    review: async (request, at, body) => (await desk.requests.comment(request, at, body)).id,
  };
}
