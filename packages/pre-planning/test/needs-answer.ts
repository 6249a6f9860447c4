/** One item of a plan, as a model writes it. */
export const writtenNeed = {
  id: 'info_1',
  category: 'codebase',
  description: 'the function that adds up',
  purpose: 'it has to change',
  collection_method: { tool: 'read_file', parameters: { path: 'total.js' } },
  fallback_strategy: 'search for it',
  can_assume: true,
  default_assumption: 'total.js',
};

/** The plan that holds it. */
export const needsAnswer = {
  phase: 'information_planning',
  information_needs: {
    required_information: [writtenNeed],
    collection_order: ['info_1'],
    skip_collection: false,
    skip_reason: '',
  },
};
