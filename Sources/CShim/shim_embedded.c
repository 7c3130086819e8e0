/* What Embedded Swift's standard library takes from the system's libraries, and should not. */
#ifdef AWARED_EMBEDDED

/* The dictionaries measure their room with it. It is all that the programs need of libm, which costs 0.3 MB resident. */
double ceil(double value) {
    const double limit = 4503599627370496.0; /* 2^52: from here on every number is whole. */
    if (!(value > -limit && value < limit)) return value;
    double whole = (double)(long long)value;
    return whole < value ? whole + 1 : whole;
}

#endif
