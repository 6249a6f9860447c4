import type { RequestBudgetOptions } from '@agent/platforms/sources';
import { z } from 'zod';

/** Request budgets of GitHub. What is left out is on for github.com, and off for other servers. */
export const requestBudgetsShape = z.strictObject({
  /** Keep requests within the hourly limit that the server reports. */
  primary: z.boolean().optional(),
  /** Keep requests within 900 points and 80 created contents a minute, GitHub's secondary limits. */
  secondary: z.boolean().optional(),
  /** Comments, issues and pull requests created an hour. Null for no limit. */
  contents_per_hour: z.number().int().min(1).nullable().optional(),
});

export type RequestBudgetSettings = z.infer<typeof requestBudgetsShape>;

/** GitHub's own limit of created contents an hour. */
const contentsPerHour = 500;

/** Fills in what is left out: GitHub's limits for its own servers, none for others. */
export function toRequestBudgets(
  { primary, secondary, contents_per_hour: contents }: RequestBudgetSettings,
  baseUrl: string,
) {
  const isLimited = isGitHubCloud(baseUrl);
  return {
    primary: primary ?? isLimited,
    secondary: secondary ?? isLimited,
    contentsPerHour: contents === undefined ? (isLimited ? contentsPerHour : null) : contents,
  };
}

/** GitHub Enterprise Cloud with data residency has the limits of github.com. */
function isGitHubCloud(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl);
  return hostname === 'api.github.com' || hostname.endsWith('.ghe.com');
}

/** Options of the budget that keeps these rules. */
export function toBudgetOptions({
  primary,
  secondary,
  contentsPerHour: contents,
}: ReturnType<typeof toRequestBudgets>): RequestBudgetOptions {
  const unlimited = Number.POSITIVE_INFINITY;
  return {
    primary,
    ...(secondary ? {} : { pointsPerMinute: unlimited, contentsPerMinute: unlimited }),
    contentsPerHour: contents ?? unlimited,
  };
}
