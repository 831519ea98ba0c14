import { BarChart } from '@mantine/charts'
import { Box, Text, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { providerOf } from '../../sign-in/providers'
import { Section } from '../../ui/section'

const names: Readonly<Record<string, string>> = {
  password: 'Password',
  otp: 'E-mail',
  passkey: 'Passkey',
  other: 'Other',
}

interface Props {
  readonly methods: readonly { readonly method: string; readonly count: number }[]
}

/** The sign-in methods of users, most used first. */
export function LoginMethods({ methods }: Props): ReactNode {
  const data = [...methods]
    .sort((left, right) => right.count - left.count)
    .map(({ method, count }) => ({ method: names[method] ?? providerOf(method).name, count }))
  return (
    <Section title="Ways to sign in">
      {data.length === 0 ? (
        <Text size="sm" c="dimmed">
          No user has a way to sign in yet.
        </Text>
      ) : (
        <>
          <Box aria-hidden="true">
            <BarChart
              h={data.length * 36 + 32}
              data={data}
              dataKey="method"
              orientation="vertical"
              series={[{ name: 'count', label: 'Users', color: 'brand.5' }]}
              tickLine="none"
              gridAxis="y"
              yAxisProps={{ width: 84 }}
              xAxisProps={{ allowDecimals: false }}
              barProps={{ isAnimationActive: false, radius: [0, 3, 3, 0] }}
              barChartProps={{ accessibilityLayer: false }}
            />
          </Box>
          <VisuallyHidden component="ul">
            {data.map(({ method, count }) => (
              <li key={method}>{`${method}: ${count}`}</li>
            ))}
          </VisuallyHidden>
        </>
      )}
    </Section>
  )
}
