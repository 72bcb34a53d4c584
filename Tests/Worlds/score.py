"""Two shares of users by the score test: the likeliest shares of a hypothesis by their equation, intervals by its ends."""

from dataclasses import dataclass
import math

from scipy import optimize


def far(distance, variance):
    """In standard errors; endlessly where there is no error to speak of."""
    return distance / math.sqrt(variance) if variance > 0 else math.copysign(math.inf, distance) if distance else 0.0


@dataclass(frozen=True)
class Shares:
    """x of n users on each side."""

    xa: int
    na: int
    xb: int
    nb: int

    @property
    def difference(self):
        return (self.xb * self.na - self.xa * self.nb) / (self.na * self.nb)

    @property
    def error(self):
        """The standard error where nothing differs."""
        x, n = self.xa + self.xb, self.na + self.nb
        return math.sqrt(x * (n - x) / (n * self.na * self.nb))

    def z_difference(self, delta):
        xa, na, xb, nb = self.xa, self.na, self.xb, self.nb
        low, high = max(0.0, -delta), min(1.0, 1 - delta)

        def slope(a):
            b = a + delta
            return ((xa - na * a) * b * (1 - b) + (xb - nb * b) * a * (1 - a))

        inset = (high - low) * 1e-14
        if slope(low + inset) <= 0:
            a = low
        elif slope(high - inset) >= 0:
            a = high
        else:
            a = optimize.brentq(slope, low + inset, high - inset, xtol=1e-300, rtol=1e-15)
        b = a + delta
        variance = a * (1 - a) / na + b * (1 - b) / nb
        return far(self.difference - delta, variance)

    def z_ratio(self, rho):
        xa, na, xb, nb = self.xa, self.na, self.xb, self.nb
        linear = nb * rho + xb + na + xa * rho
        a = 2 * (xa + xb) / (linear + math.sqrt(max(0.0, linear**2 - 4 * (na + nb) * rho * (xa + xb))))
        b = min(1.0, rho * a)
        variance = b * (1 - b) / nb + rho**2 * a * (1 - a) / na
        return far((xb * na - rho * xa * nb) / (na * nb), variance)

    def differences(self, c):
        """The interval of the difference (Mee 1984)."""
        return self._end(self.z_difference, c, self.difference, -1.0), self._end(self.z_difference, -c, self.difference, 1.0)

    def lifts(self, c):
        """The interval of the lift (Koopman 1984); nothing for a baseline of nobody."""
        if not self.xa:
            return None, None
        z = lambda logarithm: self.z_ratio(math.exp(logarithm))
        seen = math.log(self.xb / self.nb / (self.xa / self.na)) if self.xb else -40.0
        low = math.expm1(self._end(z, c, seen, -700.0)) if self.xb else -1.0
        return low, math.expm1(self._end(z, -c, seen, 700.0))

    def _end(self, z, target, start, limit):
        """Where z, on its way from the figure seen to a limit, passes its target."""
        step = math.copysign(abs(target) * self.error, limit - start)
        beyond = start + step
        while abs(beyond - start) < abs(limit - start) and abs(z(beyond)) < abs(target):
            step *= 2
            beyond = start + step
        if abs(beyond - start) >= abs(limit - start):
            beyond = limit * (1 - 1e-15)
            if abs(z(beyond)) < abs(target):
                return limit
        return optimize.brentq(lambda at: z(at) - target, start, beyond, xtol=1e-300, rtol=1e-14)
