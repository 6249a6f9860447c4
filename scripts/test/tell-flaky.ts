import type { Reporter, TestModule } from 'vitest/node';

/** Names the tests that passed only when they were tried again: each hides a fault of its own or of the product. */
export class TellFlaky implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules)
      for (const test of module.children.allTests()) {
        if (test.diagnostic()?.flaky !== true) continue;
        console.warn(`FLAKY, to be mended: ${module.relativeModuleId} > ${test.fullName}`);
        for (const { message } of test.result().errors ?? []) console.warn(`  ${message.slice(0, 500)}`);
      }
  }
}
