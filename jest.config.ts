/** @jest-config-loader esbuild-register */
// The default loader (ts-node) refuses `verbatimModuleSyntax` in a file that it loads as CommonJS.
import type { Config } from 'jest'
import { runs } from './test/runs'

/** Published as ES modules only; jest runs CommonJS, so these are transformed like our own files. */
const esModulesOnly = ['@simplewebauthn', '@angular', '@sveltejs', 'svelte', 'esm-env', 'devalue', 'ky', 'wouter']
/** In the bundle of the sources: test/setup/bundled.mjs. */
const bundled = ['rxjs', 'valibot', 'jose']

const shared = {
  transform: {
    '\\.[cm]?[jt]sx?$': [
      '<rootDir>/test/setup/transform.mjs',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', tsx: true },
          transform: { react: { runtime: 'automatic' } },
        },
        module: { type: 'commonjs' },
        sourceMaps: 'inline',
      },
    ],
  },
  transformIgnorePatterns: [
    `/node_modules/(?!(${[...esModulesOnly, ...bundled].join('|')})/)`,
    '<rootDir>/dist/',
    '<rootDir>/.tmp/',
  ],
  globalSetup: '<rootDir>/test/setup/bundle.mjs',
  moduleNameMapper: {
    '^rxauth$': '<rootDir>/src/index.ts',
    '^rxauth/server$': '<rootDir>/src/server.ts',
    '^rxauth/admin$': '<rootDir>/src/admin.ts',
    '^rxauth/react$': '<rootDir>/react/index.ts',
    '^rxauth/next$': '<rootDir>/react/next/index.ts',
    '^rxauth/angular$': '<rootDir>/src/angular.ts',
    '^rxauth/platform$': '<rootDir>/src/platform.ts',
    '^rxauth/platform/node$': '<rootDir>/src/platform-node.ts',
    '^rxauth/playwright$': '<rootDir>/src/testing/playwright.ts',
    // Exported to `import` only.
    '^@sveltejs/kit$': '<rootDir>/node_modules/@sveltejs/kit/src/exports/index.js',
  },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.tmp/'],
} satisfies Config

const config: Config = {
  testSequencer: '<rootDir>/test/setup/longest-first.mjs',
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testEnvironment: '<rootDir>/test/setup/node-environment.ts',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: [
        '/node_modules/',
        '<rootDir>/test/package/',
        '<rootDir>/test/browser/',
        '<rootDir>/test/angular-21/',
      ],
      setupFilesAfterEnv: ['<rootDir>/test/setup/long-timeout.ts', '<rootDir>/test/setup/unread-results.ts'],
    },
    {
      ...shared,
      displayName: 'react',
      testEnvironment: '<rootDir>/test/setup/jsdom-environment.ts',
      testMatch: ['<rootDir>/test/**/*.test.tsx'],
      setupFilesAfterEnv: ['<rootDir>/test/setup/long-timeout.ts', '<rootDir>/test/setup/unread-results.ts'],
    },
    // The oldest React that the kit is for.
    {
      ...shared,
      displayName: 'react18',
      moduleNameMapper: {
        ...shared.moduleNameMapper,
        '^(react|react-dom)((?:/.*)?)$': '<rootDir>/test/react-18/node_modules/$1$2',
      },
      testEnvironment: '<rootDir>/test/setup/jsdom-environment.ts',
      // What depends on the version of React: how a component suspends and how it subscribes.
      testMatch: runs(
        ['<rootDir>/test/react/{use-value,use-store,use-select,use-user,hydration,server-render}.test.tsx'],
        ['<rootDir>/test/**/*.test.tsx'],
      ),
      testPathIgnorePatterns: [
        '/node_modules/',
        // Next.js 16 needs React 19.
        '<rootDir>/test/react/next/',
        // Its menus are popovers, which React knows from 19 on.
        '<rootDir>/test/example/',
      ],
      setupFilesAfterEnv: ['<rootDir>/test/setup/long-timeout.ts', '<rootDir>/test/setup/unread-results.ts'],
    },
    // The next Angular after the oldest one that the kit is for, which the other tests have.
    {
      ...shared,
      displayName: 'angular21',
      moduleDirectories: ['<rootDir>/test/angular-21/node_modules', 'node_modules'],
      testEnvironment: '<rootDir>/test/setup/node-environment.ts',
      testMatch: ['<rootDir>/test/angular{.test.ts,/**/*.test.ts,-21/*.test.ts}'],
      setupFilesAfterEnv: ['<rootDir>/test/setup/long-timeout.ts', '<rootDir>/test/setup/unread-results.ts'],
    },
    {
      ...shared,
      displayName: 'package',
      testEnvironment: '<rootDir>/test/setup/node-environment.ts',
      testMatch: ['<rootDir>/test/package/**/*.test.ts'],
      setupFilesAfterEnv: ['<rootDir>/test/setup/long-timeout.ts', '<rootDir>/test/setup/unread-results.ts'],
    },
    {
      ...shared,
      displayName: 'browser',
      moduleNameMapper: {
        ...shared.moduleNameMapper,
        '^playwright-core$': '<rootDir>/test/setup/playwright-core.cjs',
      },
      testEnvironment: '<rootDir>/test/setup/browser-environment.ts',
      testMatch: ['<rootDir>/test/browser/**/*.test.ts'],
      setupFilesAfterEnv: ['<rootDir>/test/setup/browser-patience.ts'],
      globalSetup: '<rootDir>/test/setup/browser-start.mjs',
      globalTeardown: '<rootDir>/test/setup/browser-end.mjs',
    },
  ],
}

export default config
