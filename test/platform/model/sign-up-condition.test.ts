import { readCondition, Unreadable } from '../../../src/platform/model/sign-up-condition'
import type { SignUpFacts } from '../../../src/platform/model/sign-up-condition'

const facts: SignUpFacts = {
  email: 'eve+news@mail.example.org',
  emailDomain: 'mail.example.org',
  countryCode: 'AQ',
  authMethod: 'oauth',
  oauthProvider: 'github',
  riskScores: { bot: 80, free_trial_abuse: 5 },
}

describe('a condition', () => {
  it.each([
    ['true', true],
    ['!true', false],
    ['!!true', true],
    ['emailDomain == "mail.example.org"', true],
    ["emailDomain != 'mail.example.org'", false],
    ['email.endsWith("@mail.example.org")', true],
    ['email.startsWith("eve+") && email.contains("news")', true],
    ['!email.contains("news")', false],
    ['email.matches("^.*@")', true],
    ['countryCode in ["AQ", "BV"]', true],
    ['countryCode in []', false],
    ['!(countryCode in ["BV"])', true],
    ['riskScores.bot >= 80 && riskScores.free_trial_abuse < 6', true],
    ['riskScores.freeTrialAbuse > 5', false],
    ['riskScores.bot in [1, 80]', true],
    ['80.5 > riskScores.bot', true],
    // `&&` binds closer than `||`.
    ['true || false && false', true],
    ['(true || false) && false', false],
    ['authMethod == "oauth" && oauthProvider == "github" || false', true],
    ['(authMethod == "oauth") == true', true],
    ['"a\\"b" == "a\\"b"', true],
    ['email == ""', false],
  ])('%s is %s', (source, expected) => {
    expect(readCondition(source)(facts)).toBe(expected)
  })

  it.each([
    ['', 'ends too early'],
    ['email', 'needs true or false where it has a text'],
    ['riskScores == riskScores', 'compares texts and numbers'],
    ['email == 5', 'needs a text where it has a number'],
    ['true < false', 'compares texts and numbers'],
    ['email.contains(emailDomain)', 'takes one text in double quotes'],
    ["email.contains('a')", 'takes one text in double quotes'],
    ['"a".contains("a")', '".contains" is unknown'],
    ['email.matches("(a|b)+")', 'repeats a group'],
    ['email.matches(".*.*.*.*")', 'more than 3 repetitions'],
    ['email.matches("(")', 'no regular expression'],
    ['email.size() > 5', '".size" is unknown'],
    ['displayName == "x"', '"displayName" is unknown'],
    ['email.contains("x"', '")" is missing at its end'],
    ['(true', '")" is missing at its end'],
    ['true true', 'goes on with "true"'],
    ['countryCode in [emailDomain]', 'a list has texts or numbers'],
    ['countryCode in [1]', 'needs a text where it has a number'],
    ['email == "x', 'something unknown at ""x"'],
    ['riskScores.bot + 1 > 2', 'something unknown at "+ 1 > 2"'],
    ['true ? true : false', 'something unknown at "? true'],
    ['true && "x"', 'needs true or false where it has a text'],
    [`${'('.repeat(60)}true${')'.repeat(60)}`, 'nested deeper'],
    [`${'!'.repeat(60)}true`, 'nested deeper'],
    [`email == "${'x'.repeat(10_000)}"`, 'longer than'],
    ['__proto__ == "x"', '"__proto__" is unknown'],
    ['email.constructor("x")', '".constructor" is unknown'],
  ])('%s is refused', (source, message) => {
    expect(() => readCondition(source)).toThrow(Unreadable)
    expect(() => readCondition(source)).toThrow(message)
  })
})
